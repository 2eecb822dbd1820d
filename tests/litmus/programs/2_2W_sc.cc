// Two threads store to two variables in opposite orders. May both first stores come last? Seq_cst stores forbid it
// under RC11.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: 2+2W+sc
// graphs: sc 3 tso 3 ra 4 rc11 3
// assertion fails under: ra
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;

static void first() {
  x.store(1, std::memory_order_seq_cst);
  y.store(2, std::memory_order_seq_cst);
}

static void second() {
  y.store(1, std::memory_order_seq_cst);
  x.store(2, std::memory_order_seq_cst);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(x.load(std::memory_order_relaxed) == 1 && y.load(std::memory_order_relaxed) == 1));
}
