// Four exchanges of one variable: a chain, in any order.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// formula: sc 4! tso 4! ra 4! rc11 4!
// graphs: sc 24 tso 24 ra 24 rc11 24
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int first_r0, second_r0, third_r0, fourth_r0;

static void first() { first_r0 = x.exchange(1, std::memory_order_relaxed); }

static void second() { second_r0 = x.exchange(2, std::memory_order_relaxed); }

static void third() { third_r0 = x.exchange(3, std::memory_order_relaxed); }

static void fourth() { fourth_r0 = x.exchange(4, std::memory_order_relaxed); }

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  std::thread fourth_thread(fourth);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  fourth_thread.join();
  assert(!(first_r0 == 2 && second_r0 == 1));
}
