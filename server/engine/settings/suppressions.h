// Applies suppressions: findings that a user accepts for a reason, perhaps until a day.
//
// In:      comments `// heddle: ignore[rule, ...] reason owner=NAME until=YYYY-MM-DD` in files of the program, and
//          `suppressions:` in `.heddle.yaml`. A comment covers its own line; if it stands alone, the next line with
//          code.
// Out:     the suppression that covers a finding, marked in the finding; warnings about suppressions that are unused,
//          expired or not readable. A suppressed finding is still reported.
// Cost:    a search per file and change; entries times findings.
// Owns:    its entries; CommentCache those of each file.
// Threads: one.
// Fails:   never; a suppression without a reason, or past its day (UTC), covers nothing and is a warning.
// From:    client/README.md describes them for users.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/store/files.h"

namespace heddle::engine {

struct SuppressionEntry {
  std::vector<std::string> rules;  // "*": any
  std::string reason, owner, until;
  std::string file;  // where it is written
  uint32_t line = 0;
  uint32_t covered_line = 0;  // comments: of `file`
  // In settings; each, if given, must match. Path: the end of a place's file.
  std::string finding, function, path;
  std::string object;                // what a decisive step is on, or a field or element of it
  std::vector<std::string> threads;  // without their numbers: those of the finding, no more and no fewer
  std::string problem;               // not empty: it covers nothing
  bool settings = false;
};

std::vector<SuppressionEntry> scan_comments(const std::string& path, const std::string& text);

// The comments of files, read again when a file's content changed.
class CommentCache {
 public:
  const std::vector<SuppressionEntry>& of(const std::string& path, FileStates& files);

 private:
  std::unordered_map<std::string, std::pair<program::Hash, std::vector<SuppressionEntry>>> known_;
};

class Suppressions {
 public:
  explicit Suppressions(std::string today) : today_(std::move(today)) {}  // YYYY-MM-DD
  void add(SuppressionEntry entry);
  // Marks the finding, or removes an old mark.
  void apply(v1::Finding& finding);
  // `whole`: all targets were checked, so that an entry of the settings that covered nothing is unused. Not `explored`: a
  // finding may be there that the check did not come to, so that no suppression is known to be unused.
  std::vector<v1::Diagnostic> warnings(bool whole, bool explored) const;

 private:
  std::string problem_of(const SuppressionEntry& entry) const;

  const std::string today_;
  std::vector<std::pair<SuppressionEntry, bool>> entries_;  // and whether it covered something
};

std::string today_text();

}  // namespace heddle::engine
