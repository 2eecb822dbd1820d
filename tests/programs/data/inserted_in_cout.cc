// std::cout shows a number digit by digit; the digits are no choices.
// SETTINGS: unknown-data: symbolic
#include <iostream>
#include <mutex>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

namespace {
std::mutex guard;
int larger = 0;

void take() {
  const int n = __VERIFIER_nondet_int();
  const std::lock_guard hold(guard);
  std::cout << "took " << n << '\n';
  if (n > 1000) ++larger;
}
}  // namespace

int main() {
  std::thread one(take), other(take);
  one.join();
  other.join();
  return larger > 2;
}
