// What was found may have been the end: another thread has erased it under the lock.
#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<long> ids = {4, 5, 6};

static void drop(long id) {
  const std::lock_guard lock(m);
  ids.erase(std::remove(ids.begin(), ids.end(), id), ids.end());
}
static void rename(long id, long to) {
  const std::lock_guard lock(m);
  *std::find(ids.begin(), ids.end(), id) = to;  // ERROR(out-of-bounds)!
}

int main() {
  std::thread other(drop, 5);
  rename(5, 8);
  other.join();
  return 0;
}
