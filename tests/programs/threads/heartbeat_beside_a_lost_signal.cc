// A wait without a condition misses its signal. The heartbeat that goes on would be stopped after it.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::atomic<bool> stop{false};
static std::atomic<int> beats{0};
static std::mutex m;
static std::condition_variable changed;
static bool ready;

int main() {
  std::thread heartbeat([] {
    while (!stop) {
      beats++;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  std::thread worker([] {
    {
      const std::lock_guard lock(m);
      ready = true;
    }
    changed.notify_one();  // ERROR(lost-signal)?
  });
  {
    std::unique_lock lock(m);
    changed.wait(lock);  // ERROR(lost-signal)!
  }
  stop = true;
  heartbeat.join();
  worker.join();
}
