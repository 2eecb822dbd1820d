// One key of 2^64 and one order of twenty, by compare and exchange.
// SETTINGS: unknown-data: symbolic

#include <atomic>
#include <cassert>
#include <thread>

extern "C" unsigned long __VERIFIER_nondet_ulong(void);

static std::atomic<unsigned> history{1};

static void note(unsigned bit) {
  unsigned old = history.load();
  while (!history.compare_exchange_weak(old, old * 2 + bit)) {
  }
}

int main() {
  const unsigned long key = __VERIFIER_nondet_ulong();
  std::thread thread([] {
    for (int i = 0; i < 3; ++i) note(1);
  });
  for (int i = 0; i < 3; ++i) note(0);
  thread.join();
  if (history == 0x5a) assert((key ^ 0x5555555555555555ul) + history != 0);  // ERROR(assertion)!
}
