// Independent reads of independent writes: may two readers see two stores in opposite orders? Seq_cst fences between
// the reads forbid it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: IRIW+fences-sc
// graphs: sc 15 tso 15 ra 15 rc11 15
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int third_r0, third_r1, fourth_r0, fourth_r1;

static void first() { x.store(1, std::memory_order_relaxed); }

static void second() { y.store(1, std::memory_order_relaxed); }

static void third() {
  third_r0 = x.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  third_r1 = y.load(std::memory_order_relaxed);
}

static void fourth() {
  fourth_r0 = y.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  fourth_r1 = x.load(std::memory_order_relaxed);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  std::thread fourth_thread(fourth);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  fourth_thread.join();
  assert(!(third_r0 == 1 && third_r1 == 0 && fourth_r0 == 1 && fourth_r1 == 0));
}
