// 3 threads compare and swap from one value: exactly one of them succeeds.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 3-cas
// graphs: sc 3 tso 3 ra 3 rc11 3
// assertion fails under: none
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
  second_r0 = 0;
  x.compare_exchange_strong(second_r0, 2, std::memory_order_relaxed, std::memory_order_relaxed);
}

static void third() {
  third_r0 = 0;
  x.compare_exchange_strong(third_r0, 3, std::memory_order_relaxed, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
