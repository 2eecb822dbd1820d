// How often a loop that sleeps goes round is open; what it has counted shows after the join. Three rounds at most without
// the other thread: see server/machine/spin/pauses.cc.
// OUTCOME: exit 0, prints "0"
// OUTCOME: exit 0, prints "1"
// OUTCOME: exit 0, prints "2"
// OUTCOME: exit 0, prints "more"
// GRAPHS END: time
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

std::atomic<bool> running{true};
int ticks;

int main() {
  std::thread worker([] {
    while (running) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++ticks;
    }
  });
  running = false;
  worker.join();
  std::printf("%s", ticks == 0 ? "0" : ticks == 1 ? "1" : ticks == 2 ? "2" : "more");
}
