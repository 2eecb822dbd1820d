// Says which programs the settings leave out of checks: `ignore` of `.heddle.yaml`.
//
// In:      patterns with the place where each is written; the path of a program's main file.
// Out:     the pattern that covers a path.
// Owns:    values.
// Threads: values.
// Fails:   never.
// From:    docs/SETTINGS.md, "Programs that are not checked".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine {

struct IgnoredPath {
  std::string pattern;  // absolute; a folder stands for all below it; `*` and `?` stand for any characters, also `/`
  std::string file;     // the settings that say so
  uint32_t line = 0;    // from 1
};

// The first of `ignored` that covers the path; null: none.
const IgnoredPath* ignored_by(const std::vector<IgnoredPath>& ignored, const std::string& path);

}  // namespace heddle::engine
