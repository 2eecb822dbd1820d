// SETTINGS: stdin: "1 2 3"
#include <iostream>
#include <thread>
int x, y;
int main() { std::ios::sync_with_stdio(false); std::thread t([] { std::cin >> x; });  // RACE!
  std::cin >> y;  // RACE!
  t.join(); }
