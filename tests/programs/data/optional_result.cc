// The result is set only for numbers that are even.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

extern "C" unsigned char __VERIFIER_nondet_uchar(void);

static std::mutex guard;
static std::condition_variable changed;
static std::optional<unsigned> result;
static bool finished;

int main() {
  std::thread worker([] {
    const unsigned n = __VERIFIER_nondet_uchar();
    const std::lock_guard<std::mutex> lock(guard);
    if (n % 2 == 0) result = n;
    finished = true;
    changed.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(guard);
    changed.wait(lock, [] { return finished; });
    assert(!result || *result % 2 == 0);
  }
  worker.join();
}
