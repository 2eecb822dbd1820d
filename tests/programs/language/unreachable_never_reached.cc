// VERDICT: clear
// What is held unreachable, and is: also the default of a switch, and the end of a function that throws or ends the
// process.
#include <cstdlib>
#include <stdexcept>
#include <thread>

enum class Kind { One, Two };

static int number(Kind kind) {
  switch (kind) {
    case Kind::One: return 1;
    case Kind::Two: return 2;
  }
  __builtin_unreachable();
}

static int positive(int value) {
  if (value > 0) return value;
  throw std::invalid_argument("not positive");
}

static int known(int value) {
  if (value == 3) return value;
  std::abort();
}

int main() {
  int sum = 0;
  std::thread counts([&] { sum = number(Kind::One) + number(Kind::Two); });
  counts.join();
  try {
    positive(-1);
  } catch (const std::invalid_argument&) {
    sum += known(sum);
  }
  return sum != 6;
}
