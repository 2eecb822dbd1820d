// The doorway of Peterson's lock, one attempt each. May both threads enter? Seq_cst accesses forbid it under RC11.
// source: Peterson 1981, Myths About the Mutual Exclusion Problem
// toy: peterson+sc
// graphs: sc 8 tso 8 ra 16 rc11 8
// assertion fails under: ra
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y, z;
static int first_r0, first_r1, second_r0, second_r1;

static void first() {
  x.store(1, std::memory_order_seq_cst);
  z.store(1, std::memory_order_seq_cst);
  first_r0 = y.load(std::memory_order_seq_cst);
  first_r1 = z.load(std::memory_order_seq_cst);
}

static void second() {
  y.store(1, std::memory_order_seq_cst);
  z.store(0, std::memory_order_seq_cst);
  second_r0 = x.load(std::memory_order_seq_cst);
  second_r1 = z.load(std::memory_order_seq_cst);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
