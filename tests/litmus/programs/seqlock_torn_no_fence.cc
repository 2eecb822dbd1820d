// A writer and one attempt of a reader of a sequence lock. May it accept a torn pair? Relaxed and without fences, RC11
// allows it.
// source: Boehm 2012, Can Seqlocks Get Along With Programming Language Memory Models?
// toy: seqlock+torn+no-fence
// graphs: sc 18 tso 18 ra 18 rc11 21
// assertion fails under: rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> a, x, y;
static int second_r0, second_r1, second_r2, second_r3;

static void first() {
  a.store(1, std::memory_order_relaxed);
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
  a.store(2, std::memory_order_release);
}

static void second() {
  second_r0 = a.load(std::memory_order_acquire);
  second_r1 = x.load(std::memory_order_relaxed);
  second_r2 = y.load(std::memory_order_relaxed);
  second_r3 = a.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(second_r0 == 0 && second_r3 == 0 && second_r1 == 1 && second_r2 == 0));
}
