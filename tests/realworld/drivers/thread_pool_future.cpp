// A pool of two threads, two tasks with results.
#include <cassert>

#include "ThreadPool.h"

int main() {
  ThreadPool pool(2);
  auto one = pool.enqueue([](int value) { return value; }, 1);
  auto two = pool.enqueue([] { return 2; });
  assert(one.get() + two.get() == 3);
  return 0;
}
