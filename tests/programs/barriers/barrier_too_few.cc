// A std::barrier for more threads than there are is told as such, not by the futex that it waits with.
// OPTIONS: -- -std=c++20
// SAYS: deadlock: worker 1 waits at std::barrier 'gate', and no other thread can continue
// SAYS: wait at std::barrier 'gate'
#include <barrier>
#include <thread>

int main() {
  std::barrier gate(2);
  std::thread alone([&] {
    gate.arrive_and_wait();  // ERROR(deadlock)!
  });
  alone.join();
}
