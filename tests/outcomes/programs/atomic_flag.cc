// test_and_set: exactly one of two gets the flag first. Then clear and wait: the waiter is let through.
// OUTCOME: exit 0, prints "01"
// OUTCOME: exit 0, prints "10"
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic_flag flag, gate;

int main() {
  bool other = false;
  gate.test_and_set();
  std::thread t([&] {
    other = flag.test_and_set();
    gate.clear();
    gate.notify_all();
  });
  const bool mine = flag.test_and_set();
  gate.wait(true);
  std::printf("%d%d", mine, other);
  t.join();
}
