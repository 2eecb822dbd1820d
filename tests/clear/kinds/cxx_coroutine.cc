// Where a coroutine is continued.
// LOCAL: the statement stands in a coroutine
// STATEMENT: co_await Moves{};
// STATEMENT: co_await std::suspend_never{};
// STATEMENT: co_await Moves{}; data++;
// STATEMENT: data++; co_await Moves{};
#include "all.h"
#include <coroutine>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
static std::thread runner; std::mutex m; int data;
struct Moves {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> rest) { runner = std::thread([rest] { rest.resume(); }); }
  void await_resume() {}
};
HELPERS
static Task runs() { STATEMENT std::lock_guard<std::mutex> hold(m); data++; }
int main(void) { runs(); { std::lock_guard<std::mutex> hold(m); data++; } if (runner.joinable()) runner.join(); std::thread t([] { data++; }); t.join(); return 0; }
