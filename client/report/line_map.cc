#include "client/report/line_map.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace heddle::client {

LineMap::LineMap(const std::string& diff) {
  // "-12,3": the count is left out where it is 1; of nothing it is the line before.
  const auto range = [](const std::string& word) {
    const size_t comma = word.find(',');
    Range out;
    out.begin = static_cast<uint32_t>(std::strtoul(word.c_str() + 1, nullptr, 10));
    out.count = comma == word.npos ? 1 : static_cast<uint32_t>(std::strtoul(word.c_str() + comma + 1, nullptr, 10));
    if (out.count == 0) ++out.begin;
    return out;
  };
  std::istringstream lines(diff);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("@@ -")) continue;
    std::istringstream words(line.substr(3));
    std::string before, after;
    if (words >> before >> after) hunks_.push_back({range(before), range(after)});
  }
}

std::optional<uint32_t> LineMap::other_side(const std::vector<Hunk>& hunks, Range Hunk::* from, Range Hunk::* to,
                                            uint32_t line) {
  uint32_t here = 1, there = 1;  // where the two are alike again
  for (const Hunk& hunk : hunks) {
    if (line < (hunk.*from).begin) break;
    if (line < (hunk.*from).end()) return std::nullopt;
    here = (hunk.*from).end();
    there = (hunk.*to).end();
  }
  return there + (line - here);
}

std::optional<uint32_t> LineMap::old_of(uint32_t line) const {
  return other_side(hunks_, &Hunk::after, &Hunk::before, line);
}

std::optional<uint32_t> LineMap::new_of(uint32_t line) const {
  return other_side(hunks_, &Hunk::before, &Hunk::after, line);
}

std::optional<uint32_t> LineMap::replaced_by(uint32_t line) const {
  for (const Hunk& hunk : hunks_) {
    const bool inside = line >= hunk.after.begin && line < hunk.after.end();
    if (inside && hunk.before.count == hunk.after.count) return hunk.before.begin + (line - hunk.after.begin);
  }
  return std::nullopt;
}

}  // namespace heddle::client
