// Message passing: data, then a flag. May a reader see the flag and miss the data? Relaxed, only RC11 allows it: RA
// takes every store as release and every load as acquire.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: MP+rlx
// graphs: sc 3 tso 3 ra 3 rc11 4
// assertion fails under: rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, second_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
}

static void second() {
  second_r0 = y.load(std::memory_order_relaxed);
  second_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0));
}
