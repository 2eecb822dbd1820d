// What `heddle nightly` keeps on the disk: the runs that ended, and the one under way.
//
// In:      runs, and what the increments had reported before them.
// Out:     lines of JSON, and the runs read from such lines.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   by value: nothing where the text is damaged, or was written by a version with other fields.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "client/nightly/nightly.h"
#include "client/nightly/nightly_kinds.h"

namespace heddle::client {

// What the increments said of a target, as far as the comparison needs it.
struct NightlyBefore {
  std::string verdict, program;
  std::map<std::string, NightlyFinding> open;  // by id
  std::map<std::string, std::string> keys;     // of the open ones, by id
  std::vector<NightlyFinding> fixed;
  std::vector<NightlyIncrement> increments;  // since the last nightly
  int64_t last_increment_unix_ms = 0;
  uint64_t pairs_explored = 0, pairs_owed = 0;
};

std::optional<NightlyRun> nightly_run_from(const std::string& text);
std::string nightly_running_json(const NightlyRun& run, const std::map<std::string, NightlyBefore>& before);
std::map<std::string, NightlyBefore> nightly_before_from(const std::string& text);  // of such a line

}  // namespace heddle::client
