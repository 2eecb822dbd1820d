// VERDICT: clear
// Room is reserved: an element that was published stays where it is, and the library looks at no size for an index.
#include <atomic>
#include <cassert>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <thread>
#include <vector>

static std::vector<int> values;
static std::atomic<size_t> count{0};

static void add() {
  for (int n = 0; n < 3; ++n) {
    values.push_back(n);
    count.store(values.size(), std::memory_order_release);
  }
}

int main() {
  values.reserve(3);
  std::thread other(add);
  const size_t there = count.load(std::memory_order_acquire);
  for (size_t n = 0; n < there; ++n) assert(values[n] == static_cast<int>(n));
  other.join();
  assert(values.back() == 2 && values.front() == 0);
  std::queue<int> queue;
  queue.push(1);
  assert(queue.front() == 1 && queue.back() == 1);
  queue.pop();
  const std::optional<int> some = 3;
  const auto shared = std::make_shared<int>(4);
  assert(*some == 3 && *shared == 4);
}
