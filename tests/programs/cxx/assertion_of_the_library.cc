// The library checks preconditions, also where the command says so. Another thread may have emptied the container.
// OPTIONS: -- -D_GLIBCXX_ASSERTIONS
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> values = {1};

static void take() {
  const std::lock_guard lock(m);
  values.pop_back();  // ERROR(assertion)!
}

int main() {
  std::thread other(take);
  take();
  other.join();
}
