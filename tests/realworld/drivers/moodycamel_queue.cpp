// Two threads enqueue one value each, the third takes what is there.
#include <cassert>
#include <thread>

#include "concurrentqueue.h"

int main() {
  moodycamel::ConcurrentQueue<int> queue(4);
  std::thread one([&] { queue.enqueue(1); });
  queue.enqueue(2);
  int sum = 0, value = 0;
  if (queue.try_dequeue(value)) sum += value;
  one.join();
  while (queue.try_dequeue(value)) sum += value;
  assert(sum == 3);
  return 0;
}
