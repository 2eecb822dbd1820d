// One thread changes how std::cout writes while another writes.
#include <iostream>
#include <thread>

int main() {
  std::thread t([] { std::cout.setf(std::ios::boolalpha); });  // RACE!
  std::cout << true;                                           // RACE?
  t.join();
}
