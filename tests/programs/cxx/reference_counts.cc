// SAYS: what the C++ library reads of its own atomic variables
// More states than a search by executions alone looks at; the library reads its reference counts for itself.
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<int> steps{0};

static void use(std::shared_ptr<int> value) {
  for (int i = 0; i < 3; i++) steps += *value;
}

int main() {
  auto value = std::make_shared<int>(1);
  std::thread a(use, value), b(use, value), c(use, value);
  a.join();
  b.join();
  c.join();
  return steps == 9 ? 0 : 1;
}
