// Two threads store to two variables in opposite orders. May both first stores come last? Relaxed stores: 3 graphs
// under SC, and 4.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: 2+2W+rlx
// graphs: sc 3 tso 3 ra 4 rc11 4
// assertion fails under: ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(2, std::memory_order_relaxed);
}

static void second() {
  y.store(1, std::memory_order_relaxed);
  x.store(2, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(x.load(std::memory_order_relaxed) == 1 && y.load(std::memory_order_relaxed) == 1));
}
