// Two threads set the base of std::cout.
#include <iostream>
#include <thread>

int main() {
  std::thread t([] { std::cout << std::hex << 1; });  // RACE!
  std::cout << std::hex << 2;                         // RACE?
  t.join();
}
