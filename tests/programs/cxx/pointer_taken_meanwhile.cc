// SAYS: of a null pointer
#include <memory>
#include <mutex>
#include <thread>

struct State {
  int value = 1;
};
static std::mutex m;
static std::unique_ptr<State> state = std::make_unique<State>();

static void take() {
  const std::lock_guard lock(m);
  state.reset();
}

int main() {
  std::thread other(take);
  int seen = 0;
  {
    const std::lock_guard lock(m);
    seen = (*state).value;  // ERROR(null-dereference)!
  }
  other.join();
  return seen == 2;
}
