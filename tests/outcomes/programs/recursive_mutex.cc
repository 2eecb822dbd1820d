// The holder locks again and again; the other fails to until the last unlock.
// OUTCOME: exit 0, prints "1"
// OUTCOME: exit 0, prints "0"
#include <cstdio>
#include <mutex>
#include <thread>

std::recursive_mutex m;

int main() {
  std::thread t([] {
    std::lock_guard outer(m);
    std::lock_guard inner(m);
  });
  const bool got = m.try_lock();
  if (got) {
    m.lock();
    m.unlock();
    m.unlock();
  }
  t.join();
  std::printf("%d", got);
}
