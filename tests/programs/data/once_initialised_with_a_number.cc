// Whoever comes first sets the number; both see the same.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <cassert>
#include <mutex>
#include <thread>

extern "C" long __VERIFIER_nondet_long(void);

static std::once_flag flag;
static long number;

static long get() {
  std::call_once(flag, [] { number = __VERIFIER_nondet_long(); });
  return number;
}

int main() {
  long other = 0;
  std::thread thread([&] { other = get(); });
  const long mine = get();
  thread.join();
  assert(mine == other);
}
