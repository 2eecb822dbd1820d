// Finds comparisons that contradict each other whatever is compared: "a < b, b < c, c <= a".
//
// In:      pairs of values that are less, or not greater, or equal, or different.
// Out:     whether they contradict each other. No: nothing is known.
// Cost:    cubic in the values that are compared, at most kValuesMost.
// Owns:    the pairs.
// Threads: one per object.
// Fails:   never.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace heddle::symbolic {

class Orders {
 public:
  static constexpr size_t kValuesMost = 48;

  // By places of values. `strictly`: less, else not greater.
  void add_less(size_t a, size_t b, bool strictly) { pairs_.push_back({number(a), number(b), strictly}); }
  void add_different(size_t a, size_t b) { different_.emplace_back(number(a), number(b)); }
  bool contradict() const;

 private:
  struct Pair {
    size_t a, b;
    bool strictly;
  };
  size_t number(size_t place) { return numbers_.try_emplace(place, numbers_.size()).first->second; }

  std::map<size_t, size_t> numbers_;
  std::vector<Pair> pairs_;
  std::vector<std::pair<size_t, size_t>> different_;
};

}  // namespace heddle::symbolic
