// Whoever takes the number out works on it; a number that is the mark for "taken" is worked on by nobody.
// SETTINGS: unknown-data: symbolic
#include <atomic>
#include <cassert>
#include <thread>

extern "C" unsigned char __VERIFIER_nondet_uchar();

static std::atomic<unsigned char> slot;
static std::atomic<int> done;

static void work() {
  const unsigned char found = slot.exchange(0xff);
  if (found != 0xff) done++;
}

int main() {
  slot = __VERIFIER_nondet_uchar();
  std::thread thread(work);
  work();
  thread.join();
  assert(done == 1);  // ERROR(assertion)!
  return 0;
}
