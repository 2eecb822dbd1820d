// A thread stores, then initialises a static local variable: each thread that finds the variable initialised sees the
// store.
// OPTIONS: -- -std=c++20
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> before;

static int make() {
  before.store(1, std::memory_order_relaxed);
  return 7;
}

static int limit() {
  static int made = make();
  return made;
}

int main() {
  const auto look = [] { assert(limit() == 7 && before.load(std::memory_order_relaxed) == 1); };
  std::thread a(look), b(look);
  a.join();
  b.join();
}
