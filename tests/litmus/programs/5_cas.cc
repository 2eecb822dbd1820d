// Five threads compare and swap from one value: exactly one of them succeeds.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// formula: sc 5 tso 5 ra 5 rc11 5
// graphs: sc 5 tso 5 ra 5 rc11 5
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int first_r0, second_r0, third_r0, fourth_r0, fifth_r0;

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

static void fourth() {
  fourth_r0 = 0;
  x.compare_exchange_strong(fourth_r0, 4, std::memory_order_relaxed, std::memory_order_relaxed);
}

static void fifth() {
  fifth_r0 = 0;
  x.compare_exchange_strong(fifth_r0, 5, std::memory_order_relaxed, std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  std::thread fourth_thread(fourth);
  std::thread fifth_thread(fifth);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  fourth_thread.join();
  fifth_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
