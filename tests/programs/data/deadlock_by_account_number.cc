// A transfer locks source before target: two equal and opposite numbers make a cycle.
// SETTINGS: unknown-data: symbolic

#include <mutex>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint(void);

static std::mutex guards[2];

static void transfer(unsigned from, unsigned to) {
  if (from == to) return;
  const std::lock_guard<std::mutex> source(guards[from]);
  const std::lock_guard<std::mutex> target(guards[to]);  // ERROR(deadlock)!
}

int main() {
  const unsigned from = __VERIFIER_nondet_uint();
  if (from > 1) return 0;
  std::thread thread(transfer, from, 1 - from);
  transfer(0, 1);
  thread.join();
}
