// The last question before the exception is about an unknown number, and nothing catches the exception.
// OPTIONS: -- -std=c++17
#include <thread>
#include <vector>

extern "C" int __VERIFIER_nondet_int();

int main() {
  const int place = __VERIFIER_nondet_int();
  if (place < 0 || place > 9) return 1;
  std::vector<int> squares(9);
  std::thread fills([&] { squares.at(place) = place * place; });  // ERROR(uncaught-exception)!
  fills.join();
}
