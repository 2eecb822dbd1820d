// Two threads under a mutex: as many graphs as orders of the critical sections.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// toy: 2-locks
// graphs: sc 2 tso 2 ra 2 rc11 2
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static int x;
static std::mutex m;
static int first_r0, second_r0;

static void first() {
  m.lock();
  first_r0 = x;
  x = first_r0 + 1;
  m.unlock();
}

static void second() {
  m.lock();
  second_r0 = x;
  x = second_r0 + 1;
  m.unlock();
}

int main() {
  std::thread first_thread(first);
  std::thread second_thread(second);
  first_thread.join();
  second_thread.join();
  assert(!(x == 1));
}
