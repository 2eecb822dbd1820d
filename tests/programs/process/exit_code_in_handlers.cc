// quick_exit and exit, with codes of which only the last eight bits count: 256 is a success.
#include <atomic>
#include <cstdlib>
#include <thread>

static std::atomic<int> first;

int main() {
  std::thread other([] {
    int none = 0;
    first.compare_exchange_strong(none, 1);
  });
  int none = 0;
  first.compare_exchange_strong(none, 2);
  other.join();
  if (first == 1) std::quick_exit(256);  // ERROR(exit-code-differs)?
  std::exit(257);  // ERROR(exit-code-differs)!
}
