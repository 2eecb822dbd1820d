// As woken_for_nothing.c.
// OPTIONS: --spurious-wakeups
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready;

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
    if (!ready) c.wait(lock);
    assert(ready);  // ERROR(assertion)!
  });
  {
    std::lock_guard lock(m);
    ready = true;
    c.notify_one();
  }
  t.join();
}
