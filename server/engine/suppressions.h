// Findings that somebody decided to live with: for a reason, perhaps until a day.
//
// In:      comments `// heddle: ignore[rule, ...] reason owner=NAME until=YYYY-MM-DD` in the files of the program,
// entries of
//          `suppressions:` in `.heddle.yaml`. A comment covers its own line, or, standing alone, the next line with
//          code.
// Out:     which suppression covers a finding (one of its places lies there, the rule is named); what is unused,
// expired or
//          cannot be read, in words. Suppressed findings are told and counted apart, they are never dropped.
// Cost:    a search per file and change; entries times findings.
// Owns:    values. Threads: one.
// Fails:   never; a suppression without a reason, or past its day, covers nothing and is told.
// From:    ours; client/README.md describes them for users.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/files.h"

namespace heddle::engine {

struct SuppressionEntry {
  std::vector<std::string> rules;  // "*": any
  std::string reason, owner, until;
  std::string file;  // where it is written
  uint32_t line = 0;
  uint32_t covered_line = 0;            // comments: of `file`
  std::string finding, function, path;  // settings: each, when given, must fit; path: the end of a place's file
  std::string problem;                  // not empty: it covers nothing
  bool settings = false;
};

std::vector<SuppressionEntry> scan_comments(const std::string& path, const std::string& text);

// Comments of files, read again when their content changed.
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
  // Marks the finding, or takes an old mark away.
  void apply(v1::Finding& finding);
  // `whole`: everything was looked at, so that an entry of the settings that covered nothing is unused.
  std::vector<v1::Diagnostic> warnings(bool whole) const;

 private:
  std::string problem_of(const SuppressionEntry& entry) const;

  const std::string today_;
  std::vector<std::pair<SuppressionEntry, bool>> entries_;  // and whether it covered something
};

std::string today_text();

}  // namespace heddle::engine
