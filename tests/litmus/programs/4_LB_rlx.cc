// Load buffering in a ring of four: each read sees the store or misses it, but not all see it.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// formula: sc 2^4-1 tso 2^4-1 ra 2^4-1 rc11 2^4-1
// graphs: sc 15 tso 15 ra 15 rc11 15
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> w, x, y, z;
static int first_r0, second_r0, third_r0, fourth_r0;

static void first() {
  first_r0 = x.load(std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
}

static void second() {
  second_r0 = y.load(std::memory_order_relaxed);
  z.store(1, std::memory_order_relaxed);
}

static void third() {
  third_r0 = z.load(std::memory_order_relaxed);
  w.store(1, std::memory_order_relaxed);
}

static void fourth() {
  fourth_r0 = w.load(std::memory_order_relaxed);
  x.store(1, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  std::thread fourth_thread(fourth);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  fourth_thread.join();
  assert(!(first_r0 == 1 && second_r0 == 1 && third_r0 == 1 && fourth_r0 == 1));
}
