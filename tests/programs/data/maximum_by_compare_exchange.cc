// A maximum that is kept by compare-exchange, of any two numbers.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <atomic>
#include <cassert>
#include <thread>

extern "C" int __VERIFIER_nondet_int();

static std::atomic<int> most;

static void note(int number) {
  int known = most.load();
  while (known < number && !most.compare_exchange_weak(known, number)) {}
}

int main() {
  const int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  std::thread thread(note, first);
  note(second);
  thread.join();
  assert(most >= first && most >= second && (most == 0 || most == first || most == second));
  return 0;
}
