// The divisor is a remainder: zero for every seventh number.
// SETTINGS: unknown-data: symbolic
// SAYS: = 7

#include <mutex>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint(void);

static std::mutex guard;
static unsigned share;

int main() {
  const unsigned n = __VERIFIER_nondet_uint();
  if (n == 0) return 0;
  std::thread thread([=] {
    const std::lock_guard<std::mutex> lock(guard);
    share = 100 / (n % 7);  // ERROR(division-by-zero)!
  });
  thread.join();
}
