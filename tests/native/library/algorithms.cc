// <algorithm>, <numeric>, <ranges>, <bit>.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

struct Person {
  std::string name;
  int age;
};

template <typename Range>
static void print(const Range& range) {
  for (const auto& item : range) std::printf("%d ", int(item));
  std::printf("\n");
}

int main() {
  std::vector<int> v(40);
  unsigned state = 7;
  for (int& item : v) item = int((state = state * 1664525u + 1013904223u) >> 26);
  auto sorted = v;
  std::sort(sorted.begin(), sorted.end());
  print(sorted);
  auto stable = v;
  std::stable_sort(stable.begin(), stable.end(), [](int a, int b) { return a / 10 < b / 10; });
  print(stable);
  auto partial = v;
  std::partial_sort(partial.begin(), partial.begin() + 5, partial.end(), std::greater<>());
  print(std::vector<int>(partial.begin(), partial.begin() + 5));
  auto nth = v;
  std::nth_element(nth.begin(), nth.begin() + 20, nth.end());
  std::printf("median %d\n", nth[20]);
  auto heap = v;
  std::make_heap(heap.begin(), heap.end());
  std::pop_heap(heap.begin(), heap.end());
  std::printf("top %d next %d\n", heap.back(), heap.front());
  std::sort_heap(heap.begin(), heap.end() - 1);
  std::printf("%d\n", std::is_sorted(heap.begin(), heap.end()));
  const auto [low, high] = std::minmax_element(v.begin(), v.end());
  std::printf("%d %d %ld %ld\n", *low, *high, low - v.begin(), high - v.begin());
  std::printf("%d %d %ld\n", std::accumulate(v.begin(), v.end(), 0), std::reduce(v.begin(), v.end()), std::count_if(v.begin(), v.end(), [](int n) { return n % 2; }));
  std::vector<int> sums, differences;
  std::partial_sum(v.begin(), v.begin() + 8, std::back_inserter(sums));
  std::adjacent_difference(sums.begin(), sums.end(), std::back_inserter(differences));
  print(sums);
  std::printf("%d\n", std::equal(differences.begin(), differences.end(), v.begin()));
  std::vector<int> scan(8);
  std::exclusive_scan(v.begin(), v.begin() + 8, scan.begin(), 100);
  print(scan);
  std::printf("%d %d\n", std::inner_product(v.begin(), v.begin() + 5, v.begin() + 5, 0), std::transform_reduce(v.begin(), v.end(), 0, std::plus<>(), [](int n) { return n * n; }));
  auto rotated = sorted;
  std::rotate(rotated.begin(), rotated.begin() + 3, rotated.end());
  std::reverse(rotated.begin(), rotated.begin() + 6);
  rotated.erase(std::remove(rotated.begin(), rotated.end(), rotated[0]), rotated.end());
  print(rotated);
  const auto bound = std::partition(rotated.begin(), rotated.end(), [](int n) { return n < 30; });
  std::printf("%ld %d\n", bound - rotated.begin(), std::all_of(bound, rotated.end(), [](int n) { return n >= 30; }));
  std::printf("%d %ld %ld\n", std::binary_search(sorted.begin(), sorted.end(), sorted[7]), std::lower_bound(sorted.begin(), sorted.end(), 30) - sorted.begin(), std::upper_bound(sorted.begin(), sorted.end(), 30) - sorted.begin());
  std::string word = "abcd";
  int permutations = 0;
  do ++permutations;
  while (std::next_permutation(word.begin(), word.end()));
  std::printf("%d %s\n", permutations, word.c_str());
  std::string text = "find the needle here", needle = "needle";
  std::printf("%ld %d\n", std::search(text.begin(), text.end(), needle.begin(), needle.end()) - text.begin(), std::lexicographical_compare(text.begin(), text.end(), needle.begin(), needle.end()));
  std::printf("%d %d %d %d\n", std::gcd(84, 36), std::lcm(4, 6), std::clamp(15, 0, 10), std::midpoint(2, 8));
  std::printf("%d %d %u %d\n", std::popcount(0xf0fu), std::countl_zero(uint16_t(3)), std::rotl(1u, 31), int(std::bit_ceil(37u)));

  std::vector<Person> people{{"Ann", 41}, {"Bob", 17}, {"Cid", 29}, {"Dee", 17}};
  std::ranges::sort(people, {}, &Person::age);
  for (const auto& person : people | std::views::filter([](const Person& p) { return p.age > 17; })) std::printf("%s ", person.name.c_str());
  for (int n : std::views::iota(1, 20) | std::views::filter([](int n) { return n % 3 == 0; }) | std::views::transform([](int n) { return n * n; }) | std::views::take(4) | std::views::reverse)
    std::printf("%d ", n);
  std::printf("\n");
  for (auto part : std::views::split(std::string_view("a-bc-d"), '-')) std::printf("[%.*s]", int(part.size()), &*part.begin());
  std::printf(" %d %ld\n", std::ranges::any_of(v, [](int n) { return n == 0; }), std::ranges::distance(people | std::views::drop(1)));
  std::vector<int> unique = sorted;
  const auto tail = std::ranges::unique(unique);
  unique.erase(tail.begin(), tail.end());
  std::printf("%zu %d\n", unique.size(), *std::ranges::max_element(unique));
  std::vector<int> merged;
  std::ranges::merge(std::vector{1, 4, 6}, std::vector{2, 3, 9}, std::back_inserter(merged));
  print(merged);
}
