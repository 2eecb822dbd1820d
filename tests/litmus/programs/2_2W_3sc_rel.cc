// Two threads store to two variables in opposite orders. May each variable end with the store that its thread did
// first? Three seq_cst stores are too few.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: 2+2W+3sc+rel
// graphs: sc 3 tso 3 ra 4 rc11 4
// assertion fails under: ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;

static void first() {
  x.store(1, std::memory_order_seq_cst);
  y.store(2, std::memory_order_seq_cst);
}

static void second() {
  y.store(1, std::memory_order_seq_cst);
  x.store(2, std::memory_order_release);
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(x.load(std::memory_order_relaxed) == 1 && y.load(std::memory_order_relaxed) == 1));
}
