// Store buffering in a ring of three: each thread stores to one variable and reads the next. Relaxed accesses allow
// all three reads to miss.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: 3.SB+rlx
// graphs: sc 7 tso 8 ra 8 rc11 8
// assertion fails under: tso ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y, z;
static int first_r0, second_r0, third_r0;

static void first() {
  x.store(1, std::memory_order_relaxed);
  first_r0 = y.load(std::memory_order_relaxed);
}

static void second() {
  y.store(1, std::memory_order_relaxed);
  second_r0 = z.load(std::memory_order_relaxed);
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
  assert(!(first_r0 == 0 && second_r0 == 0 && third_r0 == 0));
}
