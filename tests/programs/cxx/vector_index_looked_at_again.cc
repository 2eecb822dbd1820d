// As vector_index_after_pop.cc, but looked at and used under one lock.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::vector<int> values = {1, 2, 3};
static int sum;

static void add(unsigned n) {
  const std::lock_guard lock(m);
  if (n < values.size()) sum += values[n];
}
static void shrink() {
  const std::lock_guard lock(m);
  values.pop_back();
  values.push_back(9);
  values.resize(2);
  values.insert(values.begin(), 7);
  values.erase(values.begin() + 1);
}

int main() {
  std::thread other(shrink);
  add(2);
  add(1);
  other.join();
  return sum > 100;
}
