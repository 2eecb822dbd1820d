// The first call makes the static object in a thread, and registers its destructor. Main's end may come in between, and
// the destructor may find the thread still at work.
#include <thread>
#include <vector>

static std::vector<int> &all() {
  static std::vector<int> values(3);
  return values;
}

int main() {
  std::thread worker([] {
    all();
    all()[1] = 2;  // ERROR(data-race)! ERROR(use-after-free)!
  });
  worker.detach();
  return 0;
}
