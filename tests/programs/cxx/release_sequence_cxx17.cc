// VERDICT: clear
// OPTIONS: -- -std=c++17
// The store is in the library, the language is that of the unit that calls it.
#include <atomic>
#include <thread>

static std::atomic<int> flag;
static int data;

int main() {
  std::thread t([] {
    data = 1;
    flag.store(1, std::memory_order_release);
    flag.store(2, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_acquire) == 2) data++;
  t.join();
}
