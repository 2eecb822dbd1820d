// OPTIONS: -- -std=c++20
// Another thread sets the global locale before this one makes a std::locale.
#include <cassert>
#include <locale>
#include <thread>

int main() {
  std::thread other([] { std::locale::global(std::locale(std::locale::classic(), new std::numpunct<char>)); });
  const std::locale mine;
  other.join();
  assert(mine == std::locale::classic());  // ERROR(assertion)!
  return 0;
}
