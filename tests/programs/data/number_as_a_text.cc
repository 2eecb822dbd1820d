// std::to_string of an unknown number: one text of 256 is refused.
// SETTINGS: unknown-data: symbolic
// SAYS: = -107
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

extern "C" signed char __VERIFIER_nondet_schar(void);

static std::mutex guard;
static std::string name;

int main() {
  const int n = __VERIFIER_nondet_schar();
  std::thread worker([n] {
    const std::lock_guard<std::mutex> hold(guard);
    name = std::to_string(n);
  });
  worker.join();
  assert(name != "-107");  // ERROR(assertion)!
}
