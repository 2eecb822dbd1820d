// Two readers of a shared lock do not order each other: their relaxed accesses may be seen late.
// OPTIONS: -- -std=c++20
#include <atomic>
#include <cassert>
#include <shared_mutex>
#include <thread>

static std::shared_mutex table;
static std::atomic<bool> here[2];
static bool saw[2];

static void reader(int me) {
  here[me].store(true, std::memory_order_relaxed);
  std::shared_lock lock(table);
  saw[me] = here[1 - me].load(std::memory_order_relaxed);
}

int main() {
  std::thread a(reader, 0), b(reader, 1);
  a.join();
  b.join();
  assert(saw[0] || saw[1]);  // ERROR(assertion)!
}
