// try_wait tells whether the other has counted down; behind the latch both have, in either order of their steps.
// OUTCOME: exit 0, prints "0 2"
// OUTCOME: exit 0, prints "1 2"
#include <atomic>
#include <cstdio>
#include <latch>
#include <thread>

std::latch l(2);
std::atomic<int> steps;

int main() {
  std::thread t([] {
    steps.fetch_add(1, std::memory_order_relaxed);
    l.count_down();
  });
  steps.fetch_add(1, std::memory_order_relaxed);
  l.count_down();
  const bool open = l.try_wait();
  l.wait();
  std::printf("%d %d", open, steps.load(std::memory_order_relaxed));
  t.join();
}
