#include <iostream>
#include <mutex>
#include <thread>
std::mutex m;
int main() { std::ios_base::sync_with_stdio(false); std::thread t([] { std::lock_guard g(m); std::cout << "a" << 3; });
  { std::lock_guard g(m); std::cout << "b" << std::endl; }
  t.join(); }
