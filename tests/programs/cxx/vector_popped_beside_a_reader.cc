// One thread reads the last element while another one removes it.
#include <thread>
#include <vector>

static std::vector<int> values = {1, 2};

static int read_last() {
  const int* last = &values[1];
  return *last;  // ERROR(out-of-bounds|data-race)!
}

int main() {
  int seen = 0;
  std::thread other([&] { seen = read_last(); });
  values.pop_back();  // ERROR(data-race)?
  other.join();
  return seen > 9;
}
