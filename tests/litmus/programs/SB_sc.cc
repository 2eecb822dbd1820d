// Store buffering: each thread stores to its variable, then reads the other's. May both miss the other's store? With
// seq_cst on all four accesses, RC11 forbids it; RA has no seq_cst accesses.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: SB+sc
// graphs: sc 3 tso 3 ra 4 rc11 3
// assertion fails under: ra
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int first_r0, second_r0;

static void first() {
  x.store(1, std::memory_order_seq_cst);
  first_r0 = y.load(std::memory_order_seq_cst);
}

static void second() {
  y.store(1, std::memory_order_seq_cst);
  second_r0 = x.load(std::memory_order_seq_cst);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
