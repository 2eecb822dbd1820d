// Message passing through a third thread, which never touches the data. Release and acquire at each step are
// transitive.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: ISA2+rel+acq
// graphs: sc 7 tso 7 ra 7 rc11 7
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y, z;
static int second_r0, third_r0, third_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
}

static void second() {
  second_r0 = y.load(std::memory_order_acquire);
  z.store(1, std::memory_order_release);
}

static void third() {
  third_r0 = z.load(std::memory_order_acquire);
  third_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(second_r0 == 1 && third_r0 == 1 && third_r1 == 0));
}
