// A ring of four places; the number of elements is unknown, and the test for a full ring comes one too late.
// SETTINGS: unknown-data: symbolic
#include <mutex>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint(void);

static int ring[4];
static unsigned used;
static std::mutex guard;

static void fill(unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const std::lock_guard<std::mutex> lock(guard);
    if (used > 4) return;
    ring[used++] = 1;  // ERROR(out-of-bounds)!
  }
}

int main() {
  const unsigned count = __VERIFIER_nondet_uint();
  if (count > 5) return 0;
  std::thread thread(fill, count);
  thread.join();
  return 0;
}
