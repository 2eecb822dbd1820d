// Coroutines: a generator that throws, and jobs that hop onto whichever thread resumes them.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>
template <typename T>
struct Generator {
  struct promise_type {
    T value;
    std::exception_ptr error;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };
  explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
  Generator(Generator&& o) noexcept : handle(std::exchange(o.handle, {})) {}
  ~Generator() {
    if (handle) handle.destroy();
  }
  bool next() {
    handle.resume();
    if (handle.promise().error) std::rethrow_exception(handle.promise().error);
    return !handle.done();
  }
  T value() const { return handle.promise().value; }
  std::coroutine_handle<promise_type> handle;
};
Generator<int> fib(int n) {
  int a = 0, b = 1;
  for (int k = 0; k < n; ++k) {
    co_yield a;
    a = std::exchange(b, a + b);
  }
  if (n > 5) throw 5;
}
std::mutex m;
std::queue<std::coroutine_handle<>> ready;
struct Hop {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) {
    std::lock_guard g(m);
    ready.push(h);
  }
  void await_resume() {}
};
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};
int sum = 0;
Task job(int n) {
  co_await Hop{};
  {
    std::lock_guard g(m);
    sum += n;
  }
}
int main() {
  auto g = fib(6);
  int total = 0;
  try {
    while (g.next()) total += g.value();
  } catch (int e) {
    std::printf("caught %d\n", e);
  }
  job(1);
  job(2);
  auto run = [] {
    for (;;) {
      std::coroutine_handle<> h;
      {
        std::lock_guard g(m);
        if (ready.empty()) return;
        h = ready.front();
        ready.pop();
      }
      h.resume();
    }
  };
  std::thread a(run), b(run);
  a.join();
  b.join();
  std::printf("%d %d\n", total, sum);
}
