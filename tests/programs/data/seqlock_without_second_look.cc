// The reader of a sequence lock looks at the number only once.
// SETTINGS: unknown-data: symbolic

#include <atomic>
#include <cassert>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint(void);

static std::atomic<unsigned> sequence{0}, low{0}, high{1};

int main() {
  std::thread writer([] {
    const unsigned n = __VERIFIER_nondet_uint();
    sequence++;
    low = n;
    high = n + 1;
    sequence++;
  });
  if (sequence % 2 == 0) {
    const unsigned a = low, b = high;
    assert(b - a == 1);  // ERROR(assertion)!
  }
  writer.join();
}
