// Two forks of a std::array, taken in opposite orders.
#include <array>
#include <mutex>
#include <thread>

static std::array<std::mutex, 2> forks;

static void eat(int seat) {
  std::lock_guard left(forks[seat]);
  std::lock_guard right(forks[1 - seat]);  // DEADLOCK!
}

int main() {
  std::thread a(eat, 0), b(eat, 1);
  a.join();
  b.join();
}
