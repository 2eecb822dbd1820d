// unique_lock notices that it owns nothing: the exception is a finding if it leaves the program.
// OUTCOME: exit 0, prints "caught"
// OUTCOME: lock-misuse, prints ""
// FINDINGS: lock-misuse
// GRAPHS END: error
#include <atomic>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

std::mutex m;
std::atomic<bool> careful;

void twice() {
  std::unique_lock lock(m);
  lock.unlock();
  lock.unlock();
}

int main() {
  std::thread t([] { careful = true; });
  if (careful) {
    try {
      twice();
    } catch (const std::system_error&) {
      std::printf("caught");
    }
  } else {
    twice();
  }
  t.join();
}
