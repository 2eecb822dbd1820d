// Without a destructor a thread_local object ends with its thread, too.
#include <thread>

struct Position {
  int x, y;
};
static thread_local Position here{1, 2};
static const Position *seen;

int main() {
  std::thread t([] { seen = &here; });
  t.join();
  return seen->y - 2;  // ERROR(use-after-free)!
}
