// Coherence, read then read: two reads of one variable never see its stores in the wrong order. Two readers agree on
// the order of two stores by different threads.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: CoRR2
// graphs: sc 72 tso 72 ra 72 rc11 72
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int third_r0, third_r1, fourth_r0, fourth_r1;

static void first() { x.store(1, std::memory_order_relaxed); }

static void second() { x.store(2, std::memory_order_relaxed); }

static void third() {
  third_r0 = x.load(std::memory_order_relaxed);
  third_r1 = x.load(std::memory_order_relaxed);
}

static void fourth() {
  fourth_r0 = x.load(std::memory_order_relaxed);
  fourth_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  std::thread fourth_thread(fourth);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  fourth_thread.join();
  assert(!(third_r0 == 1 && third_r1 == 2 && fourth_r0 == 2 && fourth_r1 == 1));
}
