// VERDICT: findings
// OPTIONS: -- -std=c++20
// SAYS: char_traits.h
// The new thread makes a string of what its creator has left: the library does, before it comes to any line of the program.
#include <cstdio>
#include <string>
#include <thread>

static void work(std::string) {}

static std::thread start(int number) {
  char name[32];
  std::snprintf(name, sizeof name, "job %d", number);
  return std::thread(work, name);  // ERROR(use-after-free)!
}

int main() {
  std::thread t = start(1);
  t.join();
}
