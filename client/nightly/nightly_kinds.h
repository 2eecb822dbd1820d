// What increments reported, by the kind of edit they checked.
//
// In:      the increments that a target's ledger remembers, without those that the last nightly had seen; what the
//          nightly found.
// Out:     findings with the edits they came with; counts per kind.
// Owns:    nothing; an `Edits` points into the increments.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <set>

#include "client/nightly/nightly.h"

namespace heddle::client {

struct NightlyIncrement {
  std::vector<std::string> kinds, functions;
  bool inconclusive = false;
  std::vector<std::string> reported, fixed;   // ids
  int64_t at_unix_ms = 0, since_unix_ms = 0;  // its check was about the edits after `since`, its own included
};
using Edits = std::vector<const NightlyIncrement*>;

Edits all_of(const std::vector<NightlyIncrement>& increments);
// The edits in the check that reported the finding; none: it is older.
Edits reported_by(const std::vector<NightlyIncrement>& increments, const std::string& id);
// Those of them that edited a function the finding is in, else all of them.
Edits may_have_brought(const Edits& edits, const std::set<std::string>& functions);
std::vector<std::string> kinds_of(const Edits& edits);  // each once

// Edits, inconclusive ones and repaired findings; those of the lists are counted from the findings.
std::vector<NightlyKind> count_by_kind(const std::vector<NightlyIncrement>& increments, const NightlyTarget& target);
void add_kinds(std::vector<NightlyKind>& to, const std::vector<NightlyKind>& from);

}  // namespace heddle::client
