// Which line of a text is which line of another version of the same file.
//
// In:      a diff of the two without context, as `git diff -U0` prints it.
// Out:     numbers of lines, from 1; none for a line that only one of them has.
// Owns:    values.
// Threads: values.
// Fails:   never; a text that is no diff says that the two are equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::client {

class LineMap {
 public:
  explicit LineMap(const std::string& diff);
  std::optional<uint32_t> old_of(uint32_t line) const;
  std::optional<uint32_t> new_of(uint32_t line) const;
  // The old line that the new one replaces, where as many lines were removed as were added.
  std::optional<uint32_t> replaced_by(uint32_t line) const;

 private:
  struct Range {
    uint32_t begin = 0, count = 0;
    uint32_t end() const { return begin + count; }
  };
  struct Hunk {
    Range before, after;
  };
  static std::optional<uint32_t> other_side(const std::vector<Hunk>& hunks, Range Hunk::* from, Range Hunk::* to,
                                            uint32_t line);

  std::vector<Hunk> hunks_;  // by line
};

}  // namespace heddle::client
