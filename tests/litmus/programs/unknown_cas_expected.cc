// A compare-exchange that expects an unknown value, and a store: it finds either value, and fails or succeeds.
// source: Kokologiannakis, Khoshechin Jorshari, Nagendra, Majumdar 2025, Optimal Concolic DPOR
// formula: sc 2*2 tso 2*2 ra 2*2 rc11 2*2
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

extern "C" int __VERIFIER_nondet_int();
static std::atomic<int> x;
static int n, second_r0;

static void first() { x.store(1, std::memory_order_relaxed); }

static void second() {
  second_r0 = n;
  x.compare_exchange_strong(second_r0, 2, std::memory_order_relaxed);
}

int main() {
  n = __VERIFIER_nondet_int();
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(second_r0 == 0 || second_r0 == 1);
}
