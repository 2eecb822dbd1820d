// The width is for the next output of whichever thread comes first.
#include <iomanip>
#include <iostream>
#include <thread>

int main() {
  std::thread t([] { std::cerr << std::setw(4) << 1; });  // RACE?
  std::cerr << 7;                                         // RACE!
  t.join();
}
