// wait(0) returns once the value is not 0, and what was written before is seen; it may be 1 or already 2.
// OUTCOME: exit 0, prints "1 5"
// OUTCOME: exit 0, prints "2 5"
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> state;
int data;

int main() {
  std::thread t([] {
    data = 5;
    state = 1;
    state.notify_one();
    state = 2;
  });
  state.wait(0);
  const int seen = state;
  std::printf("%d %d", seen, data);
  t.join();
}
