// Load buffering: each thread reads one variable, then stores to the other. No model here lets both see the other's
// store. Relaxed accesses.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: LB+rlx
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int first_r0, second_r0;

static void first() {
  first_r0 = x.load(std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
}

static void second() {
  second_r0 = y.load(std::memory_order_relaxed);
  x.store(1, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 1 && second_r0 == 1));
}
