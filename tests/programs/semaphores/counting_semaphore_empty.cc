// A std::counting_semaphore that nobody releases.
// OPTIONS: -- -std=c++20
// SAYS: deadlock: worker 1 waits in std::counting_semaphore::acquire() on 'places', and no other thread can continue
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> places(0);

int main() {
  std::thread alone([] {
    places.acquire();  // ERROR(deadlock)!
  });
  alone.join();
}
