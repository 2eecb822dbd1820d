// Room is reserved, and written to as if it were elements.
#include <string.h>

#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<char> text;

static void fill() {
  const std::lock_guard lock(m);
  memcpy(text.data(), "hello", 5);  // ERROR(out-of-bounds)!
}

int main() {
  text.reserve(16);
  std::thread other(fill);
  other.join();
  return static_cast<int>(text.size());
}
