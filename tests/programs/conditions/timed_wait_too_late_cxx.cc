// As timed_wait_too_late.c, in C++.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex m;
  std::condition_variable c;
  bool ready = false;
  std::thread t([&] {
    std::lock_guard guard(m);
    ready = true;
    c.notify_one();
  });
  {
    std::unique_lock lock(m);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    bool late = false;
    while (!ready && !late) late = c.wait_until(lock, end) == std::cv_status::timeout;
    if (late) assert(!ready);  // ERROR(assertion)!
  }
  t.join();
}
