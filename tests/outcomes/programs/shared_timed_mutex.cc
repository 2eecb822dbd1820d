// A timed try of the reader fails only while the writer is inside; it sees both writes or none.
// OUTCOME: exit 0, prints "late"
// OUTCOME: exit 0, prints "0"
// OUTCOME: exit 0, prints "2"
#include <chrono>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_timed_mutex m;
int a, b;

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
    ++a;
    ++b;
  });
  {
    std::shared_lock lock(m, std::chrono::milliseconds(1));
    if (lock)
      std::printf("%d", a + b);
    else
      std::printf("late");
  }
  t.join();
}
