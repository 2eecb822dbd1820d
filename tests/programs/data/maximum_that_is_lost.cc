// The same maximum by a load and a store: another one is lost.
// SETTINGS: unknown-data: symbolic
#include <atomic>
#include <cassert>
#include <thread>

extern "C" int __VERIFIER_nondet_int();

static std::atomic<int> most;

static void note(int number) {
  if (most.load() < number) most.store(number);
}

int main() {
  const int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  std::thread thread(note, first);
  note(second);
  thread.join();
  assert(most >= first && most >= second);  // ERROR(assertion)!
  return 0;
}
