// Four threads under a mutex: one graph per order of the critical sections.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// formula: sc 4! tso 4! ra 4! rc11 4!
// graphs: sc 24 tso 24 ra 24 rc11 24
// assertion fails under: none
// data race under: none
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static int x;
static std::mutex m;
static int first_r0, second_r0, third_r0, fourth_r0;

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

static void third() {
  m.lock();
  third_r0 = x;
  x = third_r0 + 1;
  m.unlock();
}

static void fourth() {
  m.lock();
  fourth_r0 = x;
  x = fourth_r0 + 1;
  m.unlock();
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
  assert(!(x == 3));
}
