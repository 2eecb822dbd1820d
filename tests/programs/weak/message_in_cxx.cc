// A message without an order; the place of the read is the user's, not std::atomic's.
// SAYS: `x` at line 16 is read relaxed
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;

static void writes() {
  x.store(1, std::memory_order_relaxed);
  y.store(1, std::memory_order_relaxed);
}

static void reads() {
  if (y.load(std::memory_order_relaxed) == 0) return;
  const int seen = x.load(std::memory_order_relaxed);
  assert(seen == 1);  // ERROR(assertion)!
}

int main() {
  std::thread a(writes), b(reads);
  a.join();
  b.join();
}
