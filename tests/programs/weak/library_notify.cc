// A message by std::atomic::wait and notify_one with release and acquire: no wake is lost under RC11.
// OPTIONS: -- -std=c++20
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <atomic>
#include <thread>

static std::atomic<int> ready;
static int data;

int main() {
  std::thread a([] {
    data = 1;
    ready.store(1, std::memory_order_release);
    ready.notify_one();
  });
  ready.wait(0, std::memory_order_acquire);
  data += 1;
  a.join();
  return 0;
}
