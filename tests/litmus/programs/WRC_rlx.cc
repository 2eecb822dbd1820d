// Write-to-read causality: a thread passes on what it has read from another. Relaxed accesses allow to miss the first
// store under RC11.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: WRC+rlx
// graphs: sc 7 tso 7 ra 7 rc11 8
// assertion fails under: rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, third_r0, third_r1;

static void first() { x.store(1, std::memory_order_relaxed); }

static void second() {
  second_r0 = x.load(std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
}

static void third() {
  third_r0 = y.load(std::memory_order_relaxed);
  third_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(second_r0 == 1 && third_r0 == 1 && third_r1 == 0));
}
