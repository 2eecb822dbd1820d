#include "server/symbolic/slices.h"

#include <algorithm>
#include <numeric>

namespace heddle::symbolic {
namespace {

size_t representative(std::vector<size_t>& parents, size_t at) {
  while (parents[at] != at) at = parents[at] = parents[parents[at]];
  return at;
}

void join(std::vector<size_t>& parents, size_t left, size_t right) {
  left = representative(parents, left);
  right = representative(parents, right);
  parents[std::max(left, right)] = std::min(left, right);
}

}  // namespace

std::vector<Slice> slices_of(const Pool& pool, std::span<const Expression> conditions) {
  std::vector<Expression> sorted(conditions.begin(), conditions.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<size_t> parents(sorted.size());
  std::iota(parents.begin(), parents.end(), size_t{0});
  std::unordered_map<uint64_t, size_t> users;
  for (size_t i = 0; i < sorted.size(); ++i) {
    for (Expression part : pool.below({&sorted[i], 1})) {
      if (pool.at(part).operation != Operation::Input) continue;
      auto [user, is_first] = users.try_emplace(pool.at(part).value, i);
      if (!is_first) join(parents, user->second, i);
    }
  }
  std::vector<Slice> slices;
  std::unordered_map<size_t, size_t> places;
  for (size_t i = 0; i < sorted.size(); ++i) {
    auto [place, is_new] = places.try_emplace(representative(parents, i), slices.size());
    if (is_new) slices.emplace_back();
    slices[place->second].push_back(sorted[i]);
  }
  return slices;
}

}  // namespace heddle::symbolic
