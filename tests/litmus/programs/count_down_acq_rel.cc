// A reference count: the last thread that counts uses what the others have written. Counting with acq_rel orders all
// of it.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: count-down+acq_rel
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> a;
static int x, y;
static int first_r0, first_r1, second_r0, second_r1;

static void first() {
  x = 1;
  first_r0 = a.fetch_add(1, std::memory_order_acq_rel);
  if (first_r0 == 1) first_r1 = y;
}

static void second() {
  y = 1;
  second_r0 = a.fetch_add(1, std::memory_order_acq_rel);
  if (second_r0 == 1) second_r1 = x;
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 1 && first_r1 == 0));
}
