// Message passing: data, then a flag. May a reader see the flag and miss the data? The data is plain and read only
// after the flag was seen: no race.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: MP+plain+rel+acq
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> y;
static int x;
static int second_r0, second_r1;

static void first() {
  x = 1;
  y.store(1, std::memory_order_release);
}

static void second() {
  second_r0 = y.load(std::memory_order_acquire);
  if (second_r0 == 1) second_r1 = x;
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0));
}
