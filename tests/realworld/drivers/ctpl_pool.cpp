// A pool of two threads, two tasks, the end waits for both.
#include "ctpl_stl.h"

#include <cassert>

int main() {
  ctpl::thread_pool pool(2);
  auto one = pool.push([](int) { return 1; });
  auto two = pool.push([](int) { return 2; });
  assert(one.get() + two.get() == 3);
  pool.stop(true);
  return 0;
}
