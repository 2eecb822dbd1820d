// The permit comes before the wait, in it, or too late.
// OUTCOME: exit 0, prints "1"
// OUTCOME: exit 0, prints "0"
#include <chrono>
#include <cstdio>
#include <semaphore>
#include <thread>

std::binary_semaphore permit(0);

int main() {
  std::thread t([] { permit.release(); });
  std::printf("%d", permit.try_acquire_for(std::chrono::seconds(1)));
  t.join();
}
