// One mutex given twice to std::scoped_lock: it takes the one, finds the other taken, and tries again for ever.
// OPTIONS: -- -std=c++17
// SAYS: which it holds itself
#include <mutex>

static std::mutex m;

int main() {
  std::scoped_lock both(m, m);  // ERROR(livelock)!
}
