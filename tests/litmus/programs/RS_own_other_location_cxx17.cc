// Release sequences: which later stores to the flag still carry what the release store published? A store to another
// variable is not part of any sequence.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+own-other-location-c++17
// graphs: sc 3 tso 3 ra 3 rc11 4
// assertion fails under: rc11
// data race under: none
// flags: -std=c++17
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y, z;
static int second_r0, second_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  z.store(1, std::memory_order_release);
  y.store(1, std::memory_order_relaxed);
}

static void second() {
  second_r0 = y.load(std::memory_order_acquire);
  second_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0));
}
