// The test for a full ring comes one too late: the first number is overwritten before it is read.
// SETTINGS: unknown-data: symbolic

#include <atomic>
#include <cassert>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

static std::atomic<int> ring[2];
static std::atomic<unsigned> head{0}, tail{0};

static void put(int number) {
  const unsigned t = tail.load();
  if (t - head.load() > 2) return;
  ring[t % 2] = number;
  tail = t + 1;
}

int main() {
  const int first = __VERIFIER_nondet_int();
  std::thread thread([=] {
    put(first);
    put(0);
    put(1);
  });
  if (tail.load() > 0) assert(ring[0].load() == first);  // ERROR(assertion)!
  thread.join();
}
