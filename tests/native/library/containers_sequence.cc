// vector, deque, list, forward_list, array, bitset, span, stack, queue, priority_queue, vector<bool>.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <list>
#include <numeric>
#include <queue>
#include <span>
#include <stack>
#include <stdexcept>
#include <string>
#include <vector>

template <typename Range>
static void print(const char* name, const Range& range) {
  std::printf("%s:", name);
  for (const auto& item : range) std::printf(" %d", int(item));
  std::printf("\n");
}

struct Counted {
  static inline int alive = 0, copies = 0, moves = 0;
  int value;
  explicit Counted(int v) : value(v) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive, ++copies; }
  Counted(Counted&& other) noexcept : value(other.value) { ++alive, ++moves; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
};

int main() {
  {
    std::vector<Counted> items;
    for (int n = 0; n < 10; ++n) items.emplace_back(n);
    items.insert(items.begin() + 2, Counted(99));
    items.erase(items.begin(), items.begin() + 3);
    std::printf("%zu %zu alive %d copies %d moves %d\n", items.size(), items.capacity(), Counted::alive, Counted::copies, Counted::moves);
    std::vector<Counted> copy = items;
    std::printf("copies %d\n", Counted::copies);
  }
  std::printf("alive %d\n", Counted::alive);
  std::vector<int> v(5);
  std::iota(v.begin(), v.end(), 1);
  v.insert(v.end(), {7, 7, 8});
  v.erase(std::unique(v.begin(), v.end()), v.end());
  v.resize(9, -1);
  v.shrink_to_fit();
  print("vector", v);
  try {
    (void)v.at(20);
  } catch (const std::out_of_range& error) {
    std::printf("%s\n", error.what());
  }
  try {
    v.reserve(v.max_size() + 1);
  } catch (const std::length_error& error) {
    std::printf("%s\n", error.what());
  }

  std::deque<int> d;
  for (int n = 0; n < 300; ++n) n % 2 ? d.push_back(n) : d.push_front(n);
  for (int n = 0; n < 140; ++n) d.pop_front(), d.pop_back();
  d.insert(d.begin() + 5, 1000);
  d.erase(d.begin() + 1);
  print("deque", d);
  std::sort(d.begin(), d.end());
  std::printf("%d %d %d\n", d.front(), d.back(), d[3]);

  std::list<int> a{3, 1, 2}, b{9, 8};
  a.splice(std::next(a.begin()), b, b.begin());
  a.sort();
  b.push_front(5);
  b.sort();
  a.merge(b);
  a.reverse();
  a.remove_if([](int n) { return n == 2; });
  print("list", a);
  a.swap(b);
  std::printf("%zu %zu\n", a.size(), b.size());
  std::forward_list<int> f{4, 2, 6};
  f.insert_after(f.before_begin(), 1);
  f.sort();
  f.remove(4);
  print("forward", f);

  std::array<int, 4> fixed{4, 3, 2, 1};
  std::sort(fixed.begin(), fixed.end());
  std::span<const int> middle = std::span(fixed).subspan(1, 2);
  print("span", middle);
  std::bitset<70> bits(0b1011);
  bits.set(65).flip(0);
  std::printf("%zu %d %s\n", bits.count(), bits.test(65), (bits >> 60).to_string().substr(60).c_str());
  std::vector<bool> flags(10);
  flags[3] = flags[7] = true;
  flags.flip();
  print("bools", flags);
  std::stack<std::string, std::vector<std::string>> stack;
  stack.push("a");
  stack.emplace(3, 'b');
  std::printf("%s %zu\n", stack.top().c_str(), stack.size());
  std::priority_queue<int, std::vector<int>, std::greater<int>> heap;
  for (int n : {5, 1, 8, 3}) heap.push(n);
  while (!heap.empty()) std::printf("%d ", heap.top()), heap.pop();
  std::printf("\n");
}
