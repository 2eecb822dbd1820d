// Four readers of one store: each sees it or misses it.
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// formula: sc 2^4 tso 2^4 ra 2^4 rc11 2^4
// graphs: sc 16 tso 16 ra 16 rc11 16
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;
static int second_r0, third_r0, fourth_r0, fifth_r0;

static void first() { x.store(1, std::memory_order_relaxed); }

static void second() { second_r0 = x.load(std::memory_order_relaxed); }

static void third() { third_r0 = x.load(std::memory_order_relaxed); }

static void fourth() { fourth_r0 = x.load(std::memory_order_relaxed); }

static void fifth() { fifth_r0 = x.load(std::memory_order_relaxed); }

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  std::thread third_thread(third);
  std::thread fourth_thread(fourth);
  std::thread fifth_thread(fifth);
  first_thread.join();
  second_thread.join();
  third_thread.join();
  fourth_thread.join();
  fifth_thread.join();
  assert(!(second_r0 == 2));
}
