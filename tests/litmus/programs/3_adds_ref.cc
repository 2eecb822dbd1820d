// 3 threads add once to one counter: 3! graphs, one per order.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 3-adds
// graphs: sc 6 tso 6 ra 6 rc11 6
// assertion fails under: none
// data race under: none
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

static int x;
static int first_r0, second_r0, third_r0;

static void first() { first_r0 = std::atomic_ref<int>(x).fetch_add(1, std::memory_order_relaxed); }

static void second() { second_r0 = std::atomic_ref<int>(x).fetch_add(1, std::memory_order_relaxed); }

static void third() { third_r0 = std::atomic_ref<int>(x).fetch_add(1, std::memory_order_relaxed); }

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
