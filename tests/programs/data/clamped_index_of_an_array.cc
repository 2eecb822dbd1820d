// The index is clamped before an array is read with it.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <algorithm>
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

static std::array<int, 4> cells{1, 2, 4, 8};
static std::mutex guard;

int main() {
  std::thread thread([] {
    const std::lock_guard<std::mutex> lock(guard);
    cells[0] = 1;
  });
  const int n = std::clamp(__VERIFIER_nondet_int(), 0, 3);
  {
    const std::lock_guard<std::mutex> lock(guard);
    assert(cells[static_cast<unsigned>(n)] == 1 << n);
  }
  thread.join();
}
