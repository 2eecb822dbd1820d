// Two threads store to two variables in opposite orders. May both first stores come last? Relaxed stores: 3 graphs
// under SC, and 4.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: 2+2W+rlx
// graphs: sc 3 tso 3 ra 4 rc11 4
// assertion fails under: ra rc11
// data race under: none
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

static int x, y;

static void first() {
  std::atomic_ref<int>(x).store(1, std::memory_order_relaxed);
  std::atomic_ref<int>(y).store(2, std::memory_order_relaxed);
}

static void second() {
  std::atomic_ref<int>(y).store(1, std::memory_order_relaxed);
  std::atomic_ref<int>(x).store(2, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(std::atomic_ref<int>(x).load(std::memory_order_relaxed) == 1 &&
           std::atomic_ref<int>(y).load(std::memory_order_relaxed) == 1));
}
