// try_lock_for fails only while the other thread holds the mutex, which does not give up: it always gets it.
// OUTCOME: exit 0, prints "got"
// OUTCOME: exit 0, prints "late"
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

std::timed_mutex m;

int main() {
  std::thread t([] {
    m.lock();
    m.unlock();
  });
  if (m.try_lock_for(std::chrono::milliseconds(10))) {
    std::printf("got");
    m.unlock();
  } else {
    std::printf("late");
  }
  t.join();
}
