// unordered containers: the order of iteration and the number of buckets are those of the library.
#include <cstdio>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Point {
  int x, y;
  bool operator==(const Point& other) const = default;
};
template <>
struct std::hash<Point> {
  size_t operator()(const Point& p) const noexcept { return std::hash<int>()(p.x * 31 + p.y); }
};

int main() {
  std::unordered_map<int, int> squares;
  for (int n = 0; n < 200; ++n) {
    squares[n * 7 % 211] = n;
    if (n % 40 == 0) std::printf("%zu buckets for %zu\n", squares.bucket_count(), squares.size());
  }
  long sum = 0, weight = 1;
  for (const auto& [key, value] : squares) sum += weight++ * (key * 3 + value);
  std::printf("%ld\n", sum);
  for (int n = 0; n < 150; ++n) squares.erase(n);
  for (const auto& [key, value] : squares) std::printf("%d ", key);
  std::printf("\n");

  std::unordered_map<std::string, int> counts;
  for (const char* word : {"a", "rose", "is", "a", "rose", "is", "a", "rose", "and a longer key than fits"}) ++counts[word];
  for (const auto& [word, count] : counts) std::printf("%s=%d ", word.c_str(), count);
  std::printf("\n%zu %zu\n", std::hash<std::string>()("heddle"), std::hash<double>()(2.5));
  counts.reserve(100);
  std::printf("%zu %.3f\n", counts.bucket_count(), counts.load_factor());
  counts.max_load_factor(0.5f);
  counts.rehash(0);
  std::printf("%zu\n", counts.bucket_count());

  std::unordered_set<Point> points{{1, 2}, {3, 4}, {1, 2}};
  std::printf("%zu %d\n", points.size(), points.contains({3, 4}));
  std::unordered_multimap<int, int> multi;
  for (int n = 0; n < 12; ++n) multi.emplace(n % 4, n);
  const auto range = multi.equal_range(2);
  for (auto it = range.first; it != range.second; ++it) std::printf("%d ", it->second);
  std::unordered_multiset<std::string> bag{"x", "y", "x"};
  std::printf("%zu\n", bag.count("x"));
  auto copy = counts;
  auto moved = std::move(counts);
  std::printf("%d %zu\n", copy == moved, counts.size());
}
