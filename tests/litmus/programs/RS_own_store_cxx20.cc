// Release sequences: which later stores to the flag still carry what the release store published? Since C++20, a
// relaxed store of the same thread ends the sequence.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+own-store-c++20
// graphs: sc 4 tso 4 ra 4 rc11 5
// assertion fails under: rc11
// data race under: none
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, second_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
  y.store(2, std::memory_order_relaxed);
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
  assert(!(second_r0 == 2 && second_r1 == 0));
}
