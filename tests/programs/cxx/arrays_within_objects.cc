// VERDICT: clear
// Members that are arrays, used up to their ends and not beyond.
#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <numeric>
#include <thread>

struct Matrix {
  std::array<std::array<int, 3>, 2> rows{};
  int plain[2][3] = {};
  int sum = 0;
};

static Matrix matrix;

static int total(const Matrix& m) {
  int sum = std::accumulate(std::begin(m.plain[0]), std::end(m.plain[0]), 0);
  for (const auto& row : m.rows) sum += std::accumulate(row.begin(), row.end(), 0);
  for (const int* at = &m.plain[1][0]; at != &m.plain[1][3]; ++at) sum += *at;
  return sum;
}

int main() {
  std::thread other([] {
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t k = 0; k < 3; ++k) matrix.rows[i][k] = matrix.plain[i][k] = 1;
    std::sort(matrix.rows[1].data(), matrix.rows[1].data() + matrix.rows[1].size());
  });
  other.join();
  matrix.sum = total(matrix);
  assert(matrix.sum == 12 && matrix.rows.back()[2] == 1);
}
