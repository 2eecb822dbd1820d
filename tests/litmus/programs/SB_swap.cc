// Store buffering: each thread stores to its variable, then reads the other's. May both miss the other's store? An
// exchange instead of the store flushes the buffer of TSO; under RA and RC11 a relaxed one orders nothing.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: SB+swap
// graphs: sc 3 tso 3 ra 4 rc11 4
// assertion fails under: ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int first_r0, first_r1, second_r0, second_r1;

static void first() {
  first_r1 = x.exchange(1, std::memory_order_relaxed);
  first_r0 = y.load(std::memory_order_relaxed);
}

static void second() {
  second_r1 = y.exchange(1, std::memory_order_relaxed);
  second_r0 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
