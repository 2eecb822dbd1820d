// Two producers, a consumer that takes both values.
#include <rigtorp/MPMCQueue.h>

#include <cassert>
#include <thread>

int main() {
  rigtorp::MPMCQueue<int> queue(1);
  std::thread one([&] { queue.push(1); }), two([&] { queue.push(2); });
  int first = 0, second = 0;
  queue.pop(first);
  queue.pop(second);
  assert(first + second == 3);
  one.join();
  two.join();
  return 0;
}
