// As broken_promise.cc, but nobody catches: the program ends with a finding.
// OUTCOME: exit 0, prints "1"
// OUTCOME: uncaught-exception, prints ""
// FINDINGS: uncaught-exception
// GRAPHS END: an access of 14 bytes
#include <atomic>
#include <cstdio>
#include <future>
#include <thread>

std::atomic<bool> drop;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t(
      [](std::promise<int> own) {
        if (!drop) own.set_value(1);
      },
      std::move(promise));
  drop = true;
  const int value = future.get();
  t.join();
  std::printf("%d", value);
}
