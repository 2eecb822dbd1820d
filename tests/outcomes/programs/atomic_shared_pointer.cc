// The store falls before the load, between it and the exchange, or behind. The pointers' lock inside std::atomic is
// spun for, and what it guards is no race.
// OUTCOME: exit 0, prints "223"
// OUTCOME: exit 0, prints "123"
// OUTCOME: exit 0, prints "112"
// EXECUTIONS: 1000
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

int main() {
  std::atomic<std::shared_ptr<int>> p{std::make_shared<int>(1)};
  std::thread a([&] { p.store(std::make_shared<int>(2)); });
  const auto seen = p.load();
  const auto before = p.exchange(std::make_shared<int>(3));
  a.join();
  std::printf("%d%d%d", *seen, *before, *p.load());
}
