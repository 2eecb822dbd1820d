// main says every second that it is still there; what its workers do is searched.
// VERDICT: clear
// SAYS: a thread that does nothing but sleep in a loop keeps the program running for ever
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

static std::atomic<int> work;

int main() {
  std::thread([] { ++work; }).detach();
  std::thread([] { ++work; }).detach();
  for (int round = 0;; ++round) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::printf("alive for %d s\n", round);
  }
}
