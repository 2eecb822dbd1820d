// Coherence, read then read: two reads of one variable never see its stores in the wrong order. New, then old: never.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoRR
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int second_r0, second_r1;

static void first() { x.store(1, std::memory_order_relaxed); }

static void second() {
  second_r0 = x.load(std::memory_order_relaxed);
  second_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0));
}
