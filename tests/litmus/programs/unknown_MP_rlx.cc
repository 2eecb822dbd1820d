// Message passing of an unknown value, relaxed: who sees the flag and no value asks whether the value is 0.
// source: Kokologiannakis, Khoshechin Jorshari, Nagendra, Majumdar 2025, Optimal Concolic DPOR
// formula: sc 3 tso 3 ra 3 rc11 3+2
// graphs: sc 3 tso 3 ra 3 rc11 5
// assertion fails under: rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

extern "C" int __VERIFIER_nondet_int();
static std::atomic<int> x, y;
static int n, second_r0, second_r1;

static void first() {
  x.store(n, std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
}

static void second() {
  second_r0 = y.load(std::memory_order_relaxed);
  second_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  n = __VERIFIER_nondet_int();
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 1 && second_r1 != n));
}
