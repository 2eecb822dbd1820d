// Message passing: data, then a flag. May a reader see the flag and miss the data? The flag is read by a compare-and-
// swap that succeeds with acquire.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: MP+rel+cas-acq
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, second_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
}

static void second() {
  second_r0 = 1;
  y.compare_exchange_strong(second_r0, 5, std::memory_order_acquire, std::memory_order_relaxed);
  second_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0));
}
