// Futures: promise, packaged_task, async, shared_future, exceptions and errors.
#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

template <typename Call>
static void report(const char* what, Call call) {
  try {
    call();
    std::printf("%s: no error\n", what);
  } catch (const std::future_error& error) {
    std::printf("%s: %s (%d)\n", what, error.code().message().c_str(), error.code().value());
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", what, error.what());
  }
}

int main() {
  std::promise<std::string> promise;
  std::future<std::string> future = promise.get_future();
  std::thread sender([&promise] { promise.set_value("sent"); });
  std::printf("%s\n", future.get().c_str());
  sender.join();
  std::printf("valid %d\n", future.valid());
  report("again", [&] { promise.set_value("x"); });
  report("retrieved", [&] { promise.get_future(); });
  report("no state", [] { std::future<int>().get(); });

  std::vector<std::future<long>> parts;
  for (int n = 5; n < 8; ++n) parts.push_back(std::async(std::launch::async, fibonacci, n));
  long sum = 0;
  for (auto& part : parts) sum += part.get();
  std::printf("sum %ld\n", sum);
  auto lazy = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
  std::printf("deferred %d\n", lazy.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
  std::printf("same thread %d\n", lazy.get() == std::this_thread::get_id());

  std::packaged_task<int(int, int)> task([](int a, int b) {
    if (b == 0) throw std::domain_error("division by zero");
    return a / b;
  });
  auto quotient = task.get_future();
  std::thread runner(std::move(task), 12, 4);
  runner.join();
  std::printf("quotient %d\n", quotient.get());
  std::packaged_task<int(int, int)> bad([](int, int b) -> int { throw std::domain_error(std::string("b is ") + std::to_string(b)); });
  auto failed = bad.get_future();
  bad(1, 0);
  report("failed", [&] { failed.get(); });
  bad.reset();
  auto other = bad.get_future();
  bad(1, 7);
  report("failed again", [&] { other.get(); });

  std::future<int> broken;
  {
    std::promise<int> dropped;
    broken = dropped.get_future();
  }
  report("broken", [&] { broken.get(); });

  std::promise<void> gate;
  std::shared_future<void> open = gate.get_future().share();
  std::vector<std::thread> waiters;
  std::vector<int> passed(3, 0);
  for (int n = 0; n < 3; ++n)
    waiters.emplace_back([&passed, open, n] {
      open.wait();
      passed[n] = n + 1;
    });
  gate.set_value();
  for (auto& waiter : waiters) waiter.join();
  std::printf("passed %d %d %d\n", passed[0], passed[1], passed[2]);

  std::promise<std::unique_ptr<int>> owner;
  auto owned = owner.get_future();
  std::thread([&owner] { owner.set_value(std::make_unique<int>(42)); }).join();
  std::printf("owned %d ready %d\n", *owned.get(), 1);

  std::promise<int> later;
  auto at_exit = later.get_future();
  std::thread([&later] { later.set_value_at_thread_exit(9); }).detach();
  std::printf("at exit %d\n", at_exit.get());

  std::promise<int&> reference;
  int target = 1;
  reference.set_value(target);
  reference.get_future().get() = 17;
  std::printf("target %d\n", target);

  std::promise<int> never;
  auto pending = never.get_future();
  std::printf("timeout %d\n", pending.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  never.set_exception(std::make_exception_ptr(std::out_of_range("index 7")));
  std::printf("ready %d\n", pending.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  report("stored", [&] { pending.get(); });
}
