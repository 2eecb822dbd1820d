// map, set, multimap, multiset: insertion in many orders, erasure, ranges, nodes, and a check of every step against a
// sorted vector.
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <set>
#include <string>
#include <vector>

static unsigned state = 12345;
static unsigned next() { return state = state * 1103515245u + 12345u, (state >> 16) & 0x7fff; }

int main() {
  std::map<int, int> map;
  std::vector<std::pair<int, int>> model;
  bool equal = true;
  for (int step = 0; step < 600; ++step) {
    const int key = int(next() % 60), value = int(next());
    const auto at = std::lower_bound(model.begin(), model.end(), std::make_pair(key, -1));
    const bool present = at != model.end() && at->first == key;
    if (next() % 5 < 3) {
      map[key] = value;
      if (present) at->second = value;
      else model.insert(at, {key, value});
    } else {
      equal = equal && map.erase(key) == present;
      if (present) model.erase(at);
    }
    equal = equal && map.size() == model.size() && std::equal(map.begin(), map.end(), model.begin(), [](auto& a, auto& b) {
              return a.first == b.first && a.second == b.second; });
    equal = equal && std::equal(map.rbegin(), map.rend(), model.rbegin(), [](auto& a, auto& b) { return a.first == b.first; });
  }
  std::printf("equal %d size %zu\n", equal, map.size());

  std::map<std::string, std::vector<int>> index;
  const char* words[] = {"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "the", "fox"};
  for (int n = 0; n < 11; ++n) index[words[n]].push_back(n);
  for (const auto& [word, places] : index) {
    std::printf("%s:", word.c_str());
    for (int place : places) std::printf(" %d", place);
    std::printf("\n");
  }
  std::printf("%d %d\n", index.contains("cat"), int(index.count("fox")));
  auto node = index.extract("quick");
  node.key() = "slow";
  index.insert(std::move(node));
  std::printf("%s %s\n", index.lower_bound("p")->first.c_str(), std::prev(index.end())->first.c_str());
  const auto [place, fresh] = index.try_emplace("fox", 3, 9);
  std::printf("%d %zu\n", fresh, place->second.size());
  index.insert_or_assign("zebra", std::vector<int>{1, 2});
  std::printf("%zu\n", std::erase_if(index, [](const auto& entry) { return entry.second.size() > 1; }));

  std::multimap<int, char> multi;
  for (int n = 0; n < 9; ++n) multi.emplace(n % 3, char('a' + n));
  const auto [from, to] = multi.equal_range(1);
  for (auto it = from; it != to; ++it) std::printf("%c", it->second);
  std::printf(" %zu\n", multi.count(2));

  std::set<int, std::greater<>> descending{5, 1, 4, 1, 3};
  for (int n : descending) std::printf("%d ", n);
  std::multiset<std::string> bag{"b", "a", "b"};
  bag.merge(std::multiset<std::string>{"c", "a"});
  for (const auto& text : bag) std::printf("%s", text.c_str());
  std::set<int> evens{2, 4, 6, 8}, threes{3, 6, 9}, both, either;
  std::set_intersection(evens.begin(), evens.end(), threes.begin(), threes.end(), std::inserter(both, both.end()));
  std::set_union(evens.begin(), evens.end(), threes.begin(), threes.end(), std::inserter(either, either.end()));
  std::printf(" %zu %zu\n", both.size(), either.size());
  try {
    map.at(1000);
  } catch (const std::out_of_range& error) {
    std::printf("%s\n", error.what());
  }
}
