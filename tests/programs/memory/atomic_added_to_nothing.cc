// Before C++20 a std::atomic of a class without a constructor has no value. What is added to it stays unknown.
// OPTIONS: -- -std=c++17
#include <atomic>
#include <cstdio>
#include <thread>

struct Work {
  std::atomic<int> done;
  void run() { done++; }
};

int main() {
  Work *work = new Work;
  std::thread thread([&] { work->run(); });
  thread.join();
  if (work->done > 3) std::puts("many");  // ERROR(uninitialised-read)!
  delete work;
}
