// How often the worker has gone round when it is told to stop is open; main knows only after the join.
// SAYS: come between in the first rounds only
#include <atomic>
#include <cassert>
#include <chrono>
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
  std::this_thread::sleep_for(std::chrono::milliseconds(7));
  running = false;
  worker.join();
  assert(ticks != 2);  // ASSERT!
  return 0;
}
