// The pointer is the parameter: it ends with the call, the object with it.
#include <memory>
#include <thread>

static int total;
static std::thread start(std::shared_ptr<int> number) {
  return std::thread([&number] { total += *number; });  // ERROR(use-after-free|data-race|null-dereference)!
}

int main() {
  std::thread t = start(std::make_shared<int>(1));  // RACE?
  t.join();
  return total - 1;
}
