// Launched, the function runs before get() returns; deferred, it runs in get(), in the thread that asks.
// OUTCOME: exit 0, prints "7 main"
#include <cstdio>
#include <future>
#include <thread>

int main() {
  const auto here = std::this_thread::get_id();
  std::future<int> launched = std::async(std::launch::async, [] { return 7; });
  std::future<bool> deferred = std::async(std::launch::deferred, [&] { return std::this_thread::get_id() == here; });
  std::printf("%d ", launched.get());
  std::printf(deferred.get() ? "main" : "thread");
}
