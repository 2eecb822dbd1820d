// Store buffering: each thread stores to its variable, then reads the other's. May both miss the other's store?
// Relaxed accesses allow it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: SB+rlx
// graphs: sc 3 tso 4 ra 4 rc11 4
// assertion fails under: tso ra rc11
// data race under: none
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

static int x, y;
static int first_r0, second_r0;

static void first() {
  std::atomic_ref<int>(x).store(1, std::memory_order_relaxed);
  first_r0 = std::atomic_ref<int>(y).load(std::memory_order_relaxed);
}

static void second() {
  std::atomic_ref<int>(y).store(1, std::memory_order_relaxed);
  second_r0 = std::atomic_ref<int>(x).load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
