// A function that must not throw does so for one number.
// OPTIONS: -- -std=c++17
#include <stdexcept>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint();

static unsigned checked(unsigned number) noexcept {
  if (number == 3000000019u) throw std::invalid_argument("unlucky");  // ERROR(uncaught-exception)!
  return number;
}

int main() {
  const unsigned number = __VERIFIER_nondet_uint();
  unsigned result = 0;
  std::thread other([&] {
    try {
      result = checked(number);
    } catch (const std::invalid_argument&) {
    }
  });
  other.join();
  return result == 3000000019u;
}
