// Numbers out of range throw; the lock is given back on both ways.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <mutex>
#include <stdexcept>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

static std::mutex guard;
static int sum;

static void add(int n) {
  const std::lock_guard<std::mutex> lock(guard);
  if (n < 0 || n > 9) throw std::out_of_range("n");
  sum += n;
}

int main() {
  std::thread thread([] {
    try {
      add(__VERIFIER_nondet_int());
    } catch (const std::out_of_range&) {
    }
  });
  add(3);
  thread.join();
}
