// For one number the thread is neither joined nor detached when its object ends.
// OPTIONS: -- -std=c++17
#include <thread>

extern "C" int __VERIFIER_nondet_int();

int main() {
  const int number = __VERIFIER_nondet_int();
  std::thread other([] {});
  if (number != 70007) other.join();
  return 0;
}  // ERROR(thread-misuse)!
