// A command reads under a shared lock or writes under the exclusive one.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

extern "C" bool __VERIFIER_nondet_bool(void);

static std::shared_mutex guard;
static int first, second;

static void work(bool write) {
  if (write) {
    const std::unique_lock<std::shared_mutex> lock(guard);
    first++;
    second++;
  } else {
    const std::shared_lock<std::shared_mutex> lock(guard);
    assert(first == second);
  }
}

int main() {
  std::thread thread([] { work(__VERIFIER_nondet_bool()); });
  work(__VERIFIER_nondet_bool());
  thread.join();
}
