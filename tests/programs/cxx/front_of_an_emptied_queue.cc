// SAYS: of an empty container
// Between the look and the call, the other thread may take the last one.
#include <mutex>
#include <queue>
#include <thread>

static std::mutex m;
static std::queue<int> values;
static int got[2];

static void take(int n) {
  std::unique_lock lock(m);
  const bool none = values.empty();
  lock.unlock();
  if (none) return;
  lock.lock();
  got[n] = values.front();  // ERROR(assertion)!
  values.pop();
}

int main() {
  values.push(7);
  std::thread a(take, 0), b(take, 1);
  a.join();
  b.join();
}
