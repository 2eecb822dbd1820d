// Independent reads of independent writes: may two readers see two stores in opposite orders? Release stores and
// acquire loads allow it: 15 graphs under SC, and 16.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: IRIW+acq
// graphs: sc 15 tso 15 ra 16 rc11 16
// assertion fails under: ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int third_r0, third_r1, fourth_r0, fourth_r1;

static void first() { x.store(1, std::memory_order_release); }

static void second() { y.store(1, std::memory_order_release); }

static void third() {
  third_r0 = x.load(std::memory_order_acquire);
  third_r1 = y.load(std::memory_order_acquire);
}

static void fourth() {
  fourth_r0 = y.load(std::memory_order_acquire);
  fourth_r1 = x.load(std::memory_order_acquire);
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
  assert(!(third_r0 == 1 && third_r1 == 0 && fourth_r0 == 1 && fourth_r1 == 0));
}
