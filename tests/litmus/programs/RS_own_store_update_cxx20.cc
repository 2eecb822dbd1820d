// Release sequences: which later stores to the flag still carry what the release store published? An update of a store
// that ended the sequence does not begin it again.
// source: ISO C++17 4.7.1, ISO C++20 6.9.2.2
// toy: RS+own-store+update-c++20
// graphs: sc 16 tso 16 ra 16 rc11 20
// assertion fails under: rc11
// data race under: none
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, third_r0, third_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_release);
  y.store(2, std::memory_order_relaxed);
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
  assert(!(second_r0 == 2 && third_r0 == 3 && third_r1 == 0));
}
