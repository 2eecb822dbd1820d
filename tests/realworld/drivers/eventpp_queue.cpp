// One thread enqueues two events, the other waits for them and processes them.
#include <eventpp/eventqueue.h>

#include <cassert>
#include <thread>

int main() {
  eventpp::EventQueue<int, void(int)> queue;
  int sum = 0;
  queue.appendListener(1, [&sum](int value) { sum += value; });
  std::thread source([&queue] {
    queue.enqueue(1, 3);
    queue.enqueue(1, 4);
  });
  queue.wait();
  queue.process();
  source.join();
  queue.process();
  assert(sum == 7);
  return 0;
}
