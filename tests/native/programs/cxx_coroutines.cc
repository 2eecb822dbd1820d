// A generator: suspended with locals alive, destroyed half way, left by an exception.
#include <coroutine>
#include <cstdio>
struct Gen {
  struct promise_type { int v; Gen get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; } std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int x) { v = x; return {}; } void return_void() {} void unhandled_exception() { throw; } };
  std::coroutine_handle<promise_type> h;
  ~Gen() { h.destroy(); }
  bool next() { h.resume(); return !h.done(); }
};
struct Log { const char* n; ~Log() { std::printf("-%s\n", n); } };
Gen count(int n) { Log l{"coroutine"}; for (int k = 0; k < n; ++k) co_yield k * k; if (n == 4) throw n; }
int main() {
  { Gen g = count(3); while (g.next()) std::printf("%d\n", g.h.promise().v); }
  { Gen g = count(10); g.next(); std::printf("%d\n", g.h.promise().v); }
  try { Gen g = count(4); while (g.next()) std::printf("%d\n", g.h.promise().v); } catch (int n) { std::printf("threw %d\n", n); }
}
