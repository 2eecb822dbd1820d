// Aligns two sequences of effects: first by exact keys, then by weaker ones.
//
// In:      for each element of both sequences one key per level, the strictest first.
// Out:     matches in order: increasing in both sequences.
// Cost:    equal beginnings and ends are matched first. The rest is quadratic in its length; a level is skipped if the
//          product of both lengths exceeds 4 million.
// Owns:    nothing; values.
// Threads: pure function, callable anywhere.
// Fails:   never; elements without a counterpart have no match.
// From:    longest common subsequence, applied gap by gap as in patience diff.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::edit {

inline constexpr std::size_t kLevels = 3;
using Keys = std::array<uint64_t, kLevels>;

struct Match {
  uint32_t before = 0, after = 0;
  uint32_t level = 0;
};

std::vector<Match> align(const std::vector<Keys>& before, const std::vector<Keys>& after);

}  // namespace heddle::edit
