// Store buffering in a ring of four: each read sees the store or misses it; SC forbids that all miss.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 2^4-1 tso 2^4 ra 2^4 rc11 2^4
// graphs: sc 15 tso 16 ra 16 rc11 16
// assertion fails under: tso ra rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> w, x, y, z;
static int first_r0, second_r0, third_r0, fourth_r0;

static void first() {
  x.store(1, std::memory_order_relaxed);
  first_r0 = y.load(std::memory_order_relaxed);
}

static void second() {
  y.store(1, std::memory_order_relaxed);
  second_r0 = z.load(std::memory_order_relaxed);
}

static void third() {
  z.store(1, std::memory_order_relaxed);
  third_r0 = w.load(std::memory_order_relaxed);
}

static void fourth() {
  w.store(1, std::memory_order_relaxed);
  fourth_r0 = x.load(std::memory_order_relaxed);
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
  assert(!(first_r0 == 0 && second_r0 == 0 && third_r0 == 0 && fourth_r0 == 0));
}
