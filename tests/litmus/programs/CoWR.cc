// Coherence, write then read: a thread never reads what its own store has overwritten.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoWR
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int first_r0;

static void first() {
  x.store(1, std::memory_order_relaxed);
  first_r0 = x.load(std::memory_order_relaxed);
}

static void second() { x.store(2, std::memory_order_relaxed); }

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 2 && x.load(std::memory_order_relaxed) == 1));
}
