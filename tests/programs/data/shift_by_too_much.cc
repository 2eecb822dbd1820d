// A shift by 32 or more: the mask is forgotten for the largest number.
// SETTINGS: unknown-data: symbolic

#include <cassert>
#include <mutex>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint(void);

static std::mutex guard;
static unsigned mask;

int main() {
  const unsigned n = __VERIFIER_nondet_uint();
  if (n > 31) return 0;
  std::thread thread([=] {
    const std::lock_guard<std::mutex> lock(guard);
    mask |= 1u << n;
  });
  {
    const std::lock_guard<std::mutex> lock(guard);
    assert(mask < 0x80000000u);  // ERROR(assertion)!
  }
  thread.join();
}
