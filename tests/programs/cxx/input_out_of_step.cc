// SETTINGS: stdin: "12"
#include <iostream>
#include <thread>
int main() { std::ios::sync_with_stdio(false); std::thread t([] { std::cin.get(); });  // RACE!
  std::cin.get();  // RACE!
  t.join(); }
