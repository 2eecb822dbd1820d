// Without a join, a read races with the other thread.
// source: ISO C17, 5.1.2.4
// toy: MP+no-join
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: sc tso ra rc11
// data race under: sc tso ra rc11
#include <atomic>
#include <cassert>
#include <thread>

static int x;
static int main_r0;

static void first() { x = 1; }

int main() {
  std::thread first_thread(first);
  main_r0 = x;
  first_thread.join();
  assert(!(main_r0 == 0));
}
