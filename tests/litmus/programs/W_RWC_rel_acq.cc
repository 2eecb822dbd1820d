// As RWC, but the first store is seen through a flag. Release and acquire of the flag do not forbid it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: W+RWC+rel+acq
// graphs: sc 7 tso 8 ra 8 rc11 8
// assertion fails under: tso ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y, z;
static int second_r0, second_r1, third_r0;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
}

static void second() {
  second_r0 = y.load(std::memory_order_acquire);
  second_r1 = z.load(std::memory_order_relaxed);
}

static void third() {
  z.store(1, std::memory_order_relaxed);
  third_r0 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0 && third_r0 == 0));
}
