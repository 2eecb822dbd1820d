// Two semaphores hand the turn over: one order only.
// OUTCOME: exit 0, prints "abab"
#include <cstdio>
#include <semaphore>
#include <thread>

std::binary_semaphore a(1), b(0);

int main() {
  std::thread t([] {
    for (int n = 0; n < 2; ++n) {
      b.acquire();
      std::printf("b");
      a.release();
    }
  });
  for (int n = 0; n < 2; ++n) {
    a.acquire();
    std::printf("a");
    b.release();
  }
  t.join();
}
