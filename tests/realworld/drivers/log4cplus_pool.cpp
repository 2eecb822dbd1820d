// A pool of two workers: two tasks, of which one has a result; then it is waited until nothing is in flight.
#include <ThreadPool.h>

#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> count{0};
  {
    progschj::ThreadPool pool(2);
    auto two = pool.enqueue([](int value) { return value * 2; }, 1);
    pool.enqueue([&count] { ++count; });
    pool.wait_until_nothing_in_flight();
    assert(count == 1);
    assert(two.get() == 2);
  }
  return 0;
}
