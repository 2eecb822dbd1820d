// Read-to-write causality: a reader of the first store against store buffering. Seq_cst accesses forbid it under RC11.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: RWC+sc
// graphs: sc 7 tso 7 ra 8 rc11 7
// assertion fails under: ra
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, second_r1, third_r0;

static void first() { x.store(1, std::memory_order_seq_cst); }

static void second() {
  second_r0 = x.load(std::memory_order_seq_cst);
  second_r1 = y.load(std::memory_order_seq_cst);
}

static void third() {
  y.store(1, std::memory_order_seq_cst);
  third_r0 = x.load(std::memory_order_seq_cst);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0 && third_r0 == 0));
}
