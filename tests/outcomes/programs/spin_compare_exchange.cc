// The C++ way to spin: what is expected lies in memory and is stored anew in every round.
// OUTCOME: exit 0, prints "12"
// OUTCOME: exit 0, prints "21"
// EXECUTIONS: 20
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<bool> taken;
int order, first, second;

void lock() {
  for (bool expected = false; !taken.compare_exchange_weak(expected, true);) {
    expected = false;
    std::this_thread::yield();
  }
}

int main() {
  std::thread a([] {
    lock();
    first = ++order;
    taken = false;
  });
  lock();
  second = ++order;
  taken = false;
  a.join();
  std::printf("%d%d", first, second);
}
