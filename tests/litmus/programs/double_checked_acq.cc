// Double-checked initialisation: a reader uses the object only when it has seen the flag. Acquire loads of the flag.
// source: Meyers, Alexandrescu 2004, C++ and the Perils of Double-Checked Locking
// toy: double-checked+acq
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> y;
static int x;
static int second_r0, second_r1, third_r0, third_r1;

static void first() {
  x = 1;
  y.store(1, std::memory_order_release);
}

static void second() {
  second_r0 = y.load(std::memory_order_acquire);
  if (second_r0 == 1) second_r1 = x;
}

static void third() {
  third_r0 = y.load(std::memory_order_acquire);
  if (third_r0 == 1) third_r1 = x;
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 0));
}
