// Readers may be inside together, a writer is alone: the writer's number is seen whole, and the most readers inside at
// once are 1 or 2.
// OUTCOME: exit 0, prints "1"
// OUTCOME: exit 0, prints "2"
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::atomic<int> inside, most;
int low, high;

void look() {
  std::shared_lock lock(m);
  const int now = ++inside;
  if (now == 2) most = 2;
  assert(low == high);
  --inside;
}

int main() {
  most = 1;
  std::thread a(look);
  std::thread w([] {
    std::unique_lock lock(m);
    ++low;
    ++high;
  });
  look();
  a.join();
  w.join();
  std::printf("%d", most.load());
}
// EXECUTIONS: 20000
