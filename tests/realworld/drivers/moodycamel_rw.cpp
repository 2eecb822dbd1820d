// One thread enqueues three values, the other takes them.
#include <cassert>
#include <thread>

#include "readerwriterqueue.h"

int main() {
  moodycamel::ReaderWriterQueue<int> queue(1);
  std::thread writer([&] {
    for (int n = 1; n <= 3; ++n) queue.enqueue(n);
  });
  int value = 0, expected = 1;
  for (int tries = 0; tries < 3; ++tries)
    if (queue.try_dequeue(value)) assert(value == expected++);
  writer.join();
  while (queue.try_dequeue(value)) assert(value == expected++);
  assert(expected == 4);
  return 0;
}
