// What a thread did happens before a join with it returns.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// toy: MP+join
// graphs: sc 1 tso 1 ra 1 rc11 1
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <thread>

static int x;
static int main_r0;

static void first() { x = 1; }

int main() {
  std::thread first_thread(first);
  first_thread.join();
  main_r0 = x;
  assert(!(main_r0 == 0));
}
