// The example for which RC11 weakened seq_cst: a release sequence and an update between seq_cst accesses. 18 graphs
// under SC, and 22 under RC11.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: Z6.U
// graphs: sc 18 tso 18 ra 24 rc11 22
// assertion fails under: ra
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int second_r0, second_r1, third_r0;

static void first() {
  x.store(1, std::memory_order_seq_cst);
  y.store(1, std::memory_order_release);
}

static void second() {
  second_r0 = y.fetch_add(1, std::memory_order_seq_cst);
  second_r1 = y.load(std::memory_order_relaxed);
}

static void third() {
  y.store(3, std::memory_order_seq_cst);
  third_r0 = x.load(std::memory_order_seq_cst);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  assert(!(second_r0 == 1 && second_r1 == 3 && third_r0 == 0));
}
