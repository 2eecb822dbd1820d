// SAYS: no thread signals it again"
// The same in C++: the thread was woken for the first step, and waits for a second one that nobody takes.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static int steps;

int main() {
  std::thread t([] {
    std::lock_guard guard(m);
    steps++;
    changed.notify_all();  // ERROR(lost-signal)!
  });
  {
    std::unique_lock lock(m);
    changed.wait(lock, [] { return steps > 0; });
    changed.notify_all();
    changed.wait(lock, [] { return steps > 1; });  // ERROR(lost-signal)!
  }
  t.join();
}
