// scoped_lock takes two mutexes in opposite orders without a deadlock; the critical sections come one after the other.
// OUTCOME: exit 0, prints "mt"
// OUTCOME: exit 0, prints "tm"
// GRAPHS END: time
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex a, b;

int main() {
  std::thread t([] {
    std::scoped_lock lock(b, a);
    std::printf("t");
  });
  {
    std::scoped_lock lock(a, b);
    std::printf("m");
  }
  t.join();
}
