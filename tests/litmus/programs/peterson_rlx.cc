// The doorway of Peterson's lock, one attempt each. May both threads enter? Relaxed accesses allow it.
// source: Peterson 1981, Myths About the Mutual Exclusion Problem
// toy: peterson+rlx
// graphs: sc 8 tso 16 ra 16 rc11 16
// assertion fails under: tso ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y, z;
static int first_r0, first_r1, second_r0, second_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  z.store(1, std::memory_order_relaxed);
  first_r0 = y.load(std::memory_order_relaxed);
  first_r1 = z.load(std::memory_order_relaxed);
}

static void second() {
  y.store(1, std::memory_order_relaxed);
  z.store(0, std::memory_order_relaxed);
  second_r0 = x.load(std::memory_order_relaxed);
  second_r1 = z.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(first_r0 == 0 && second_r0 == 0));
}
