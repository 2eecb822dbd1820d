// A pool of one thread, two tasks.
#include <BS_thread_pool.hpp>
#include <atomic>
#include <cassert>

int main() {
  BS::thread_pool pool(1);
  std::atomic<int> done{0};
#ifdef PUSH_TASK
  pool.push_task([&] { ++done; });
  pool.push_task([&] { ++done; });
  pool.wait_for_tasks();
#else
  pool.detach_task([&] { ++done; });
  pool.detach_task([&] { ++done; });
  pool.wait();
#endif
  assert(done == 2);
  return 0;
}
