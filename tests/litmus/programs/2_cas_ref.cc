// 2 threads compare and swap from one value: exactly one of them succeeds.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 2-cas
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

static int x;
static int first_r0, second_r0;

static void first() {
  first_r0 = 0;
  std::atomic_ref<int>(x).compare_exchange_strong(first_r0, 1, std::memory_order_relaxed, std::memory_order_relaxed);
}

static void second() {
  second_r0 = 0;
  std::atomic_ref<int>(x).compare_exchange_strong(second_r0, 2, std::memory_order_relaxed, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
