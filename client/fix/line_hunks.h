// What differs between two texts, by lines.
//
// In:      two texts.
// Out:     hunks, in order; a diff as people and `patch` read it.
// Cost:    the product of the lines that differ; beyond four million it is one hunk.
// Owns:    values.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::client::fix {

struct Hunk {
  size_t old_begin = 0, old_end = 0, new_begin = 0, new_end = 0;  // lines, from 0
};
std::vector<Hunk> hunks_between(std::string_view older, std::string_view newer);
std::string unified_diff(const std::string& name, std::string_view older, std::string_view newer);

}  // namespace heddle::client::fix
