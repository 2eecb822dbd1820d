// Each round takes a lock for a moment; the flag itself has none.
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex m;
static bool done;

int main() {
  std::thread t([] {
    done = true;  // RACE!
  });
  while (!done) {  // RACE!
    if (m.try_lock_for(std::chrono::milliseconds(1))) m.unlock();
  }
  t.join();
}
