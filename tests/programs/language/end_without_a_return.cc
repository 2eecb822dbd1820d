// SAYS: reaches code that the compiler holds unreachable
// The value that the switch leaves out comes from another thread, in one order only.
#include <mutex>
#include <thread>

enum class Operation { Get, Put, Delete };

static int cost(Operation operation) {
  switch (operation) {
    case Operation::Get: return 1;
    case Operation::Put: return 2;
    case Operation::Delete: break;
  }  // ERROR(trap)!
}

static std::mutex mutex;
static Operation current = Operation::Get;

int main() {
  std::thread changes([] {
    std::lock_guard guard(mutex);
    current = Operation::Delete;
  });
  Operation mine;
  {
    std::lock_guard guard(mutex);
    mine = current;
  }
  const int result = cost(mine);
  changes.join();
  return result > 2;
}
