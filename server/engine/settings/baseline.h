// Marks findings that are in the project's baseline: they are reported as known, and do not count.
//
// In:      `.heddle.baseline` in the project's root; findings; which functions the program has.
// Out:     Finding::suppressed with `baseline` set. An entry stands for the finding with its id. If one of its
//          functions is gone, it also stands for the same error in the same files that is in another function instead.
// Cost:    entries times findings.
// Owns:    its entries.
// Threads: one.
// Fails:   read() with the line of the first mistake; a project without a baseline has an empty one.
// From:    docs/SETTINGS.md, "The baseline". Differs from baselines of Infer and CodeChecker: no line numbers.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/settings/project_settings.h"
#include "server/text/baseline.h"

namespace heddle::engine {

class Baseline {
 public:
  Baseline() = default;
  static std::variant<Baseline, SettingsError> read(const std::string& root, const FileReader& read);
  const std::string& path() const { return path_; }
  void apply(v1::Finding& finding, const std::set<std::string>& functions) const;

 private:
  const text::BaselineEntry* entry_of(const v1::Finding& finding, const std::set<std::string>& functions) const;

  std::string path_, root_;
  std::vector<text::BaselineEntry> entries_;
};

}  // namespace heddle::engine
