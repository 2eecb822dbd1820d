#include <iostream>
#include <thread>
int main() { std::ios::sync_with_stdio(false); std::thread t([] { std::cout << "a"; });  // RACE!
  std::cout << "b";  // RACE!
  t.join(); }
