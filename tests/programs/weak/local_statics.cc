// A static local variable orders its users with who initialised it, and not with each other.
// OPTIONS: -- -std=c++20
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> x, y;
static int r0, r1;

static const std::string &name() {
  static const std::string made = "abc";
  return made;
}

int main() {
  name();
  std::thread a([] {
    name();
    x.store(1, std::memory_order_relaxed);
    r0 = y.load(std::memory_order_relaxed);
  });
  std::thread b([] {
    name();
    y.store(1, std::memory_order_relaxed);
    r1 = x.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
  assert(r0 || r1);  // ERROR(assertion)!
}
