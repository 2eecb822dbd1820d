// A store that loses in coherence, against a read that misses the first store. Seq_cst accesses forbid it under RC11.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: R+sc
// graphs: sc 3 tso 3 ra 4 rc11 3
// assertion fails under: ra
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0;

static void first() {
  x.store(1, std::memory_order_seq_cst);
  y.store(1, std::memory_order_seq_cst);
}

static void second() {
  y.store(2, std::memory_order_seq_cst);
  second_r0 = x.load(std::memory_order_seq_cst);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 0 && y.load(std::memory_order_relaxed) == 2));
}
