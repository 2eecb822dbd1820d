// OPTIONS: -- -std=c++20
// As terminate_handler_changed.cc, by std::set_new_handler.
#include <cassert>
#include <new>
#include <thread>

static void gives_up() { throw std::bad_alloc(); }

int main() {
  std::thread other([] { std::set_new_handler(gives_up); });
  const auto now = std::get_new_handler();
  other.join();
  assert(now == nullptr);  // ERROR(assertion)!
  return 0;
}
