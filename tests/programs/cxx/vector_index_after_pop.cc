// The index was right when it was looked at. Under the same lock the last element has left since.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> values = {1, 2, 3};
static int sum;

static bool has(unsigned n) {
  const std::lock_guard lock(m);
  return n < values.size();
}
static int at(unsigned n) {
  const std::lock_guard lock(m);
  return values[n];  // ERROR(out-of-bounds)!
}
static void shrink() {
  const std::lock_guard lock(m);
  values.pop_back();
}

int main() {
  std::thread other(shrink);
  if (has(2)) sum += at(2);
  other.join();
  return sum > 100;
}
