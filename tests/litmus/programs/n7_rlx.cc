// A thread reads its own store before others see it, while a third thread sees another's store first.
// source: Owens, Sarkar, Sewell 2009, A Better x86 Memory Model: x86-TSO
// toy: n7+rlx
// graphs: sc 7 tso 8 ra 8 rc11 8
// assertion fails under: tso ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int first_r0, first_r1, third_r0, third_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  first_r0 = x.load(std::memory_order_relaxed);
  first_r1 = y.load(std::memory_order_relaxed);
}

static void second() {
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
  assert(!(first_r0 == 1 && first_r1 == 0 && third_r0 == 1 && third_r1 == 0));
}
