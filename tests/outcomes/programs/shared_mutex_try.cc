// The writer's try_lock fails while the reader is inside; the reader's try_lock_shared fails while the writer is.
// OUTCOME: exit 0, prints "11"
// OUTCOME: exit 0, prints "10"
// OUTCOME: exit 0, prints "01"
#include <cstdio>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;

int main() {
  bool read = false;
  std::thread t([&] {
    if ((read = m.try_lock_shared())) m.unlock_shared();
  });
  const bool wrote = m.try_lock();
  if (wrote) m.unlock();
  t.join();
  std::printf("%d%d", wrote, read);
}
