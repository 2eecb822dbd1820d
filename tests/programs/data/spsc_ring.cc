// A ring for one producer and one consumer, without locks: the numbers arrive in order.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <atomic>
#include <cassert>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

static int ring[2];
static std::atomic<unsigned> head{0}, tail{0};

static bool put(int number) {
  const unsigned t = tail.load(std::memory_order_relaxed);
  if (t - head.load(std::memory_order_acquire) == 2) return false;
  ring[t % 2] = number;
  tail.store(t + 1, std::memory_order_release);
  return true;
}

static bool take(int& number) {
  const unsigned h = head.load(std::memory_order_relaxed);
  if (h == tail.load(std::memory_order_acquire)) return false;
  number = ring[h % 2];
  head.store(h + 1, std::memory_order_release);
  return true;
}

int main() {
  const int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  std::thread thread([&] {
    put(first);
    put(second);
  });
  int number = 0;
  if (take(number)) assert(number == first);
  if (take(number)) assert(number == second || number == first);
  thread.join();
}
