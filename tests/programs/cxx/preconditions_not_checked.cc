// VERDICT: clear
// OPTIONS: -- -U_GLIBCXX_ASSERTIONS
// A command that speaks of the library's checks decides itself.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> values = {1};

static void look() {
  const std::lock_guard lock(m);
  if (values.size() == 1) (void)&values.front();
  values.clear();
  (void)&values.front();
}

int main() {
  std::thread other(look);
  look();
  other.join();
}
