// A std::latch that is counted down too few times.
// OPTIONS: -- -std=c++20
// SAYS: deadlock: main waits in std::latch::wait() on 'ready', and no other thread can continue
#include <latch>
#include <thread>

int main() {
  std::latch ready(2);
  std::thread alone([&] { ready.count_down(); });
  ready.wait();  // ERROR(deadlock)!
  alone.join();
}
