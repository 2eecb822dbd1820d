// A producer and a consumer, a queue of two places.
#include <rigtorp/SPSCQueue.h>

#include <cassert>
#include <thread>

int main() {
  rigtorp::SPSCQueue<int> queue(2);
  std::thread producer([&] {
    for (int n = 1; n <= 3; ++n) queue.push(n);
  });
  for (int n = 1; n <= 3; ++n) {
    while (!queue.front()) {}
    assert(*queue.front() == n);
    queue.pop();
  }
  producer.join();
  assert(!queue.front());
  return 0;
}
