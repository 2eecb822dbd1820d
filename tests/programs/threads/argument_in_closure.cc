// A thread uses a variable of a function that has returned, through a closure that was copied as bytes, after later
// OPTIONS: -- -std=c++20
// calls took the stack: the variable keeps its name.
// SAYS: = &values
#include <semaphore>
#include <thread>
#include <vector>

static std::binary_semaphore done(0);

static void start() {
  std::vector<int> values{1, 2, 3};
  std::thread([&] {
    int sum = 0;
    for (int value : values) sum += value;  // ERROR(use-after-free)! RACE?
    done.release();
  }).detach();
}  // RACE?

int main() {
  start();
  done.acquire();
}
