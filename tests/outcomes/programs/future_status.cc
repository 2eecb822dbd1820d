// A timed wait for the value finds it ready, or times out; get() waits on.
// OUTCOME: exit 0, prints "ready 5"
// OUTCOME: exit 0, prints "timeout 5"
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t([&] { promise.set_value(5); });
  const auto status = future.wait_for(std::chrono::milliseconds(1));
  std::printf(status == std::future_status::ready ? "ready " : "timeout ");
  std::printf("%d", future.get());
  t.join();
}
