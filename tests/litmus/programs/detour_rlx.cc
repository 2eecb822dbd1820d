// A value makes a detour: a thread passes on what it finds in a variable that it has stored to. May its reader find
// the store before that?
// source: Alglave, Maranget, Tautschnig 2014, Herding Cats
// toy: detour+rlx
// graphs: sc 13 tso 13 ra 13 rc11 18
// assertion fails under: rc11
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int first_r0, third_r0, third_r1;

static void first() {
  x.store(1, std::memory_order_relaxed);
  first_r0 = x.load(std::memory_order_relaxed);
  y.store(first_r0, std::memory_order_relaxed);
}

static void second() {
  x.store(2, std::memory_order_relaxed);
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
  assert(!(third_r0 == 2 && third_r1 == 1));
}
