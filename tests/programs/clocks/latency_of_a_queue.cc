// A latency is no negative number, whoever slept before: the time stamp travels under a mutex, or as an atomic.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;
static std::mutex mutex;
static Clock::time_point posted = Clock::now();
static std::atomic<std::chrono::system_clock::time_point> ended{};

int main() {
  std::thread poster([] {
    std::this_thread::sleep_for(std::chrono::minutes(3));
    std::lock_guard lock(mutex);
    posted = Clock::now();
    ended.store(std::chrono::system_clock::now(), std::memory_order_release);
  });
  {
    std::lock_guard lock(mutex);
    assert((Clock::now() - posted).count() >= 0);
  }
  const auto end = ended.load(std::memory_order_acquire);
  assert(std::chrono::system_clock::now() >= end);
  poster.join();
  assert(Clock::now() - posted < std::chrono::hours(1));
}
