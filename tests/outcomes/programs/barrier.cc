// The completion function runs once per phase, between the arrivals and whatever follows them; who of the two goes on
// first is open. Phase 1: both have added 1; phase 2: both have added 10.
// OUTCOME: exit 0, prints "2 22"
#include <atomic>
#include <barrier>
#include <cstdio>
#include <thread>

std::atomic<int> sum;
int seen[2], phase;

struct Note {
  void operator()() noexcept { seen[phase++] = sum.load(); }
};
std::barrier<Note> b(2);

void work() {
  sum += 1;
  b.arrive_and_wait();
  sum += 10;
  b.arrive_and_wait();
}

int main() {
  std::thread t(work);
  work();
  t.join();
  std::printf("%d %d", seen[0], seen[1]);
}
// EXECUTIONS: 20000
