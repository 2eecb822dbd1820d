// The flag is set before the wait, in it, or after it has timed out: true in the first two cases.
// OUTCOME: exit 0, prints "true"
// OUTCOME: exit 0, prints "false"
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool ready;

int main() {
  std::thread t([] {
    std::lock_guard lock(m);
    ready = true;
    c.notify_one();
  });
  {
    std::unique_lock lock(m);
    std::printf(c.wait_for(lock, std::chrono::seconds(1), [] { return ready; }) ? "true" : "false");
  }
  t.join();
}
