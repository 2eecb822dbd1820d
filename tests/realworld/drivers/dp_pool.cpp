// A pool of one worker: a task with a result, one that throws, and one that nobody waits for.
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread_pool/thread_pool.h>

int main() {
  std::atomic<int> count{0};
  {
    dp::thread_pool pool(1);
    auto two = pool.enqueue([](int value) { return value * 2; }, 1);
    pool.enqueue_detach([&count] { ++count; });
    assert(two.get() == 2);
  }
  assert(count == 1);
  return 0;
}
