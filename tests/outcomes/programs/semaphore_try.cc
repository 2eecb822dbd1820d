// One permit, two takers that do not wait, neither gives back: exactly one gets it.
// OUTCOME: exit 0, prints "10"
// OUTCOME: exit 0, prints "01"
#include <cstdio>
#include <semaphore>
#include <thread>

std::counting_semaphore<4> permits(1);

int main() {
  bool other = false;
  std::thread t([&] { other = permits.try_acquire(); });
  const bool mine = permits.try_acquire();
  t.join();
  std::printf("%d%d", mine, other);
}
