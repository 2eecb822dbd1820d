// Release sequences: which later stores to the flag still carry what the release store published? A relaxed update by
// another thread does.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+update-by-other
// graphs: sc 9 tso 9 ra 9 rc11 9
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, third_r0, third_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
}

static void second() { second_r0 = y.fetch_add(1, std::memory_order_relaxed); }

static void third() {
  third_r0 = y.load(std::memory_order_acquire);
  third_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(second_r0 == 1 && third_r0 == 2 && third_r1 == 0));
}
