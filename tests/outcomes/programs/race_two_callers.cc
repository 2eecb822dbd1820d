// Two statements of one thread that change a vector, and one of another thread that reads it: two races, told at the
// statements, although both are inside the same functions of the library. They are told apart by where the project is.
// OUTCOME: exit 0, prints ""
// FINDINGS: data-race
// FINDINGS-COUNT: 2
#include <thread>
#include <vector>

static std::vector<int> v{1, 2, 3};

int main() {
  std::thread t([] {
    v.pop_back();
    v.pop_back();
  });
  volatile bool empty = v.empty();
  t.join();
  return 0;
}
