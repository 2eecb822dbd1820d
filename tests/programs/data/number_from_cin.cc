// std::cin gives a number of up to two digits; one of them is not expected.
// SETTINGS: stdin: {unknown: {length: 2}}
// SAYS: standard input = \"37\"
#include <cassert>
#include <iostream>
#include <mutex>
#include <thread>

namespace {
std::mutex guard;
int number = 0;
}  // namespace

int main() {
  std::thread other([] {
    const std::lock_guard hold(guard);
    assert(number != 37);  // ERROR(assertion)!
  });
  int n = 0;
  if (std::cin >> n) {
    const std::lock_guard hold(guard);
    number = n;
  }
  other.join();
}
