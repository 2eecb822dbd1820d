// Message passing with two flags: the second, relaxed one may be seen without the first.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: MP+two-flags
// graphs: sc 4 tso 4 ra 4 rc11 6
// assertion fails under: rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y, z;
static int second_r0, second_r1, second_r2;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
  z.store(1, std::memory_order_relaxed);
}

static void second() {
  second_r0 = z.load(std::memory_order_relaxed);
  second_r1 = y.load(std::memory_order_acquire);
  second_r2 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0));
}
