// Three compare-exchanges, each of which needs the one before.
// source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Truly Stateless, Optimal DPOR
// toy: cas-chain
// graphs: sc 5 tso 5 ra 5 rc11 5
// assertion fails under: sc tso ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int first_r0, second_r0, third_r0;

static void first() {
  first_r0 = 0;
  x.compare_exchange_strong(first_r0, 1, std::memory_order_relaxed, std::memory_order_relaxed);
}

static void second() {
  second_r0 = 1;
  x.compare_exchange_strong(second_r0, 2, std::memory_order_relaxed, std::memory_order_relaxed);
}

static void third() {
  third_r0 = 2;
  x.compare_exchange_strong(third_r0, 3, std::memory_order_relaxed, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(third_r0 == 2 && x.load(std::memory_order_relaxed) == 3));
}
