// What the exchange found decides whether an exception leaves the thread.
// OPTIONS: -- -std=c++17
#include <atomic>
#include <thread>

extern "C" int __VERIFIER_nondet_int();

static std::atomic<int> word{0};

static void claim(int number) {
  int free = 70007;
  if (word.compare_exchange_strong(free, number)) throw number;  // ERROR(uncaught-exception)!
}

int main() {
  const int number = __VERIFIER_nondet_int();
  word.store(number);
  std::thread other(claim, number);
  other.join();
}
