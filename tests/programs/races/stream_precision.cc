// Saving and restoring the precision changes it for the others meanwhile.
#include <iostream>
#include <thread>

int main() {
  std::thread t([] { std::cout << 1.5; });  // RACE!
  const auto old = std::cout.precision(3);  // RACE?
  std::cout.precision(old);                 // RACE?
  t.join();
}
