// A try_lock that fails has met the other thread inside; both cannot fail.
// OUTCOME: exit 0, prints "11"
// OUTCOME: exit 0, prints "10"
// OUTCOME: exit 0, prints "01"
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex m;

bool attempt() {
  if (!m.try_lock()) return false;
  m.unlock();
  return true;
}

int main() {
  bool other = false;
  std::thread t([&] { other = attempt(); });
  const bool mine = attempt();
  t.join();
  std::printf("%d%d", mine, other);
}
