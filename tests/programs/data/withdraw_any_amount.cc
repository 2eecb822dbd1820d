// The check of a negative amount is missing: the balance grows.
// SETTINGS: unknown-data: symbolic

#include <cassert>
#include <mutex>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);
extern "C" void __VERIFIER_assume(int);

static std::mutex guard;
static int balance = 50;

static void withdraw(int amount) {
  const std::lock_guard<std::mutex> lock(guard);
  if (amount <= balance) balance -= amount;
}

int main() {
  const int amount = __VERIFIER_nondet_int();
  __VERIFIER_assume(amount > -1000);
  std::thread thread(withdraw, amount);
  withdraw(10);
  thread.join();
  assert(balance <= 50);  // ERROR(assertion)!
}
