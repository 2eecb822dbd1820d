// A store seen through a flag, against a later store that comes first in coherence. Release and acquire forbid it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: S+rel+acq
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0;

static void first() {
  x.store(2, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
}

static void second() {
  second_r0 = y.load(std::memory_order_acquire);
  x.store(1, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && x.load(std::memory_order_relaxed) == 2));
}
