// The same as heartbeat.cc, where main reads under a mutex what it says, and one worker forgets the mutex.
// SAYS: a thread that does nothing but sleep in a loop keeps the program running for ever
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int work;

int main() {
  std::thread([] {
    std::lock_guard guard(mutex);
    ++work;  // RACE!
  }).detach();
  std::thread([] { ++work; }).detach();  // RACE!
  for (int round = 0;; ++round) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::lock_guard guard(mutex);
    std::printf("%d s: %d\n", round, work);  // RACE!
  }
}
