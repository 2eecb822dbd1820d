// A variable of any value, and a bound that is one too high.
// SETTINGS: unknown-data: symbolic
// SAYS: = 2147483646 (line
#include <cassert>
#include <mutex>
#include <thread>

static int limit;
static std::mutex guard;

int main() {
  [[clang::annotate("heddle: unknown")]] int number;
  [[clang::annotate("heddle: unknown 0..2")]] unsigned index;
  int cells[2] = {};
  std::thread thread([&] {
    std::lock_guard lock(guard);
    limit = number;
  });
  {
    std::lock_guard lock(guard);
    assert(limit != 2147483646);  // ERROR(assertion)!
  }
  thread.join();
  return cells[index];  // ERROR(out-of-bounds)!
}
