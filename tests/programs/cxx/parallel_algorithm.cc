// The elements of a parallel algorithm run one after the other here: the verdict says so.
// VERDICT: clear
// SAYS: std::execution::par run in the thread that calls them
#include <algorithm>
#include <execution>

static int sum;
static int values[4] = {1, 2, 3, 4};

int main() {
  std::for_each(std::execution::par, values, values + 4, [](int value) { sum += value; });
  return sum == 10 ? 0 : 1;
}
