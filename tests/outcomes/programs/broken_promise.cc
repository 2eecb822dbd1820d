// The thread keeps its promise or drops it, whatever main says first; dropped, get() throws future_error.
// OUTCOME: exit 0, prints "1"
// OUTCOME: exit 0, prints "broken"
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
  try {
    std::printf("%d", future.get());
  } catch (const std::future_error& error) {
    std::printf(error.code() == std::future_errc::broken_promise ? "broken" : "other");
  }
  t.join();
}
