// Store buffering when one thread is created after the store of the creator. The third thread has a seq_cst fence.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: SB+create
// graphs: sc 3 tso 3 ra 4 rc11 4
// assertion fails under: ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int first_r0, second_r0;

static void first() { first_r0 = y.load(std::memory_order_relaxed); }

static void second() {
  y.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  second_r0 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread second_thread(second);
  x.store(1, std::memory_order_relaxed);
  std::thread first_thread(first);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
