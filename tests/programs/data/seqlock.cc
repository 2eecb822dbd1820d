// A sequence lock: a reader that sees one even number twice has read both halves of one write.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <atomic>
#include <cassert>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint(void);

static std::atomic<unsigned> sequence{0}, low{0}, high{0};

int main() {
  std::thread writer([] {
    const unsigned n = __VERIFIER_nondet_uint();
    sequence++;
    low = n;
    high = n + 1;
    sequence++;
  });
  const unsigned before = sequence;
  const unsigned a = low, b = high;
  if (before == 2 && sequence == before) assert(b - a == 1);
  writer.join();
}
