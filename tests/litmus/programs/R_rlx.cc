// A store that loses in coherence, against a read that misses the first store. Relaxed accesses allow it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: R+rlx
// graphs: sc 3 tso 4 ra 4 rc11 4
// assertion fails under: tso ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
}

static void second() {
  y.store(2, std::memory_order_relaxed);
  second_r0 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 0 && y.load(std::memory_order_relaxed) == 2));
}
