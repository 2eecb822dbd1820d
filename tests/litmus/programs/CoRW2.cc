// Coherence, read then write: a store never comes before the store that its thread has read. Having read the other's
// store, a store comes after it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoRW2
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int first_r0;

static void first() {
  first_r0 = x.load(std::memory_order_relaxed);
  x.store(1, std::memory_order_relaxed);
}

static void second() { x.store(2, std::memory_order_relaxed); }

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 2 && x.load(std::memory_order_relaxed) == 2));
}
