// Through atomic_ref a plain int is incremented by both, and each sees another old value.
// OUTCOME: exit 0, prints "0 1 2"
// OUTCOME: exit 0, prints "1 0 2"
#include <atomic>
#include <cstdio>
#include <thread>

int main() {
  int number = 0, other = 0;
  std::thread t([&] { other = std::atomic_ref(number).fetch_add(1); });
  const int mine = std::atomic_ref(number).fetch_add(1);
  t.join();
  std::printf("%d %d %d", mine, other, number);
}
