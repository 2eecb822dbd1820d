// OPTIONS: -- -std=c++20
// The handler of std::terminate is one for all threads.
#include <cassert>
#include <cstdlib>
#include <exception>
#include <thread>

static void ends() { std::abort(); }

int main() {
  const auto before = std::get_terminate();
  std::thread other([] { std::set_terminate(ends); });
  const auto now = std::get_terminate();
  other.join();
  assert(now == before);  // ERROR(assertion)!
  return 0;
}
