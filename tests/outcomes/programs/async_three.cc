// Three tasks take tickets in every order.
// OUTCOME: exit 0, prints "123"
// OUTCOME: exit 0, prints "132"
// OUTCOME: exit 0, prints "213"
// OUTCOME: exit 0, prints "231"
// OUTCOME: exit 0, prints "312"
// OUTCOME: exit 0, prints "321"
// EXECUTIONS: 1000
#include <atomic>
#include <cstdio>
#include <future>

std::atomic<int> tickets;

int main() {
  const auto take = [] { return ++tickets; };
  auto a = std::async(std::launch::async, take);
  auto b = std::async(std::launch::async, take);
  auto c = std::async(std::launch::async, take);
  const int x = a.get(), y = b.get(), z = c.get();
  std::printf("%d%d%d", x, y, z);
}
