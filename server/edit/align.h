// Matching two sequences of effects, first by exactly what they do and then by less and less.
//
// In:      for each element of both sequences one key per level, strictest first.
// Out:     matches in order: increasing in both sequences.
// Cost:    common ends are trimmed first; the rest is quadratic in its length, and skipped where that is over 4
// million. Owns:    values. Threads: pure. Fails: never. From:    longest common subsequence, applied gap by gap as in
// patience diff.
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
