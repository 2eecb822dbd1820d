// SAYS: of an empty optional
#include <mutex>
#include <optional>
#include <thread>

static std::mutex m;
static std::optional<int> value = 1;

static void take() {
  const std::lock_guard lock(m);
  value.reset();
}

int main() {
  std::thread other(take);
  int seen = 0;
  {
    const std::lock_guard lock(m);
    seen = *value;  // ERROR(assertion)!
  }
  other.join();
  return seen == 2;
}
