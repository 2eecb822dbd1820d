// The element is a default argument, which the caller evaluates.
#include <thread>

struct Levels {
  int of[4] = {};
  int count = 0;
};
static Levels levels;
static int last = 4;

static int level(int value = levels.of[last]) { return value; }

int main() {
  std::thread other([] { levels.count = level(1); });
  other.join();
  return level();  // ERROR(out-of-bounds)!
}
