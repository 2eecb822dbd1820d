// A thread calls exit(), which destroys what main still reads.
#include <cstdlib>
#include <thread>
#include <vector>

static std::vector<int> values{1, 2, 3};

int main() {
  std::thread t([] { std::exit(0); });  // RACE!
  int seen = values[1];  // RACE? ERROR(use-after-free)?
  t.join();
  return seen;
}
