// The second join throws system_error, which nothing catches.
// OUTCOME: thread-misuse, prints "joined"
// FINDINGS: thread-misuse
#include <cstdio>
#include <thread>

int main() {
  std::thread t([] {});
  t.join();
  std::printf("joined");
  t.join();
}
