// The latch counts two and one arrives. A heartbeat goes on meanwhile, and ends nothing.
// OPTIONS: -- -std=c++20
#include <atomic>
#include <chrono>
#include <latch>
#include <thread>

static std::atomic<long> beats{0};

int main() {
  std::jthread heartbeat([](std::stop_token stop) {
    while (!stop.stop_requested()) {
      beats.fetch_add(1, std::memory_order_relaxed);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  std::latch ready(2);
  std::jthread worker([&] { ready.count_down(); });
  ready.wait();  // ERROR(deadlock|livelock)!
}
