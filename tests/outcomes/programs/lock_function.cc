// std::lock against a thread that takes the same mutexes in the other order: no deadlock, either first.
// OUTCOME: exit 0, prints "mt"
// OUTCOME: exit 0, prints "tm"
// GRAPHS END: time
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex a, b;

int main() {
  std::thread t([] {
    std::unique_lock second(b, std::defer_lock), first(a, std::defer_lock);
    std::lock(second, first);
    std::printf("t");
  });
  std::lock(a, b);
  std::printf("m");
  a.unlock();
  b.unlock();
  t.join();
}
