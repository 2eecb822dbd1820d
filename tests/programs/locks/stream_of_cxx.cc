// std::cout writes to stdout, whose lock another thread has taken.
#include <stdio.h>

#include <iostream>
#include <mutex>
#include <thread>

static std::mutex m;

int main() {
  std::thread t([] {
    std::lock_guard guard(m);
    std::cout << "one" << std::endl;  // DEADLOCK?
  });
  flockfile(stdout);
  {
    std::lock_guard guard(m);  // DEADLOCK!
    puts("two");
  }
  funlockfile(stdout);
  t.join();
}
