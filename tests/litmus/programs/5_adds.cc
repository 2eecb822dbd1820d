// Five threads add once to one counter: one graph per order.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// formula: sc 5! tso 5! ra 5! rc11 5!
// graphs: sc 120 tso 120 ra 120 rc11 120
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int first_r0, second_r0, third_r0, fourth_r0, fifth_r0;

static void first() { first_r0 = x.fetch_add(1, std::memory_order_relaxed); }

static void second() { second_r0 = x.fetch_add(1, std::memory_order_relaxed); }

static void third() { third_r0 = x.fetch_add(1, std::memory_order_relaxed); }

static void fourth() { fourth_r0 = x.fetch_add(1, std::memory_order_relaxed); }

static void fifth() { fifth_r0 = x.fetch_add(1, std::memory_order_relaxed); }

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
