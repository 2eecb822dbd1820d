// Loops that wait for two atomic variables, one of which may be there before the other, or read one twice; each ends.
// VERDICT: clear
#include <atomic>
#include <thread>

static std::atomic<int> first, second, head{1}, tail, sequence, value;

int main() {
  std::thread writer([] {
    first = 1;
    second = 1;
    tail = 1;
    sequence = 1;
    value = 1;
    sequence = 2;
  });
  while (!(first.load() & second.load())) {
  }
  while (head.load() != tail.load()) {
  }
  int before, after;
  do {
    before = sequence;
    (void)value.load();
    after = sequence;
  } while (before != after || before % 2 == 1);
  writer.join();
}
