// A handler of std::terminate: it sees the exception and leaves; destructors up to the noexcept function have run.
#include <cstdio>
#include <cstdlib>
#include <exception>

struct L { const char* n; ~L() { std::printf("~%s\n", n); } };
void deep() { L l{"deep"}; throw 7; }
void quiet() noexcept { L l{"quiet"}; deep(); }
[[noreturn]] void handler() {
  std::printf("terminate\n");
  if (std::exception_ptr p = std::current_exception()) {
    try { std::rethrow_exception(p); } catch (int k) { std::printf("because of %d\n", k); }
  }
  std::fflush(stdout);
  std::_Exit(9);
}
int main() {
  std::terminate_handler old = std::set_terminate(handler);
  std::printf("%d %d\n", old != handler, std::get_terminate() == handler);
  L l{"main"};
  quiet();
}
