// A version counter starts anywhere but at 0, which means none; it comes back to 0 for who looks between two steps.
// SETTINGS: unknown-data: symbolic
#include <atomic>
#include <cassert>
#include <thread>

extern "C" unsigned __VERIFIER_nondet_uint();

static std::atomic<unsigned> version;

int main() {
  const unsigned start = __VERIFIER_nondet_uint();
  if (start == 0) return 0;
  version = start;
  std::thread writer([] {
    version.fetch_add(7);
    version.fetch_add(12);
    version.fetch_add(1);
  });
  assert(version.load() != 0);  // ERROR(assertion)!
  writer.join();
  return 0;
}
