// One thread drops out after the first phase: the second one completes with the other alone.
// OUTCOME: exit 0, prints "2 3"
#include <atomic>
#include <barrier>
#include <cstdio>
#include <thread>

std::atomic<int> sum;

int main() {
  std::barrier b(2);
  std::thread t([&] {
    sum += 1;
    b.arrive_and_drop();
  });
  sum += 1;
  b.arrive_and_wait();
  const int first = sum;
  sum += 1;
  b.arrive_and_wait();
  std::printf("%d %d", first, sum.load());
  t.join();
}
// EXECUTIONS: 20000
