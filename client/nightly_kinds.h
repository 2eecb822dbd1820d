// What increments said, by the kind of edit they checked.
//
// In:      the increments that a target's ledger remembers, those that the last nightly had seen left out; what the
//          nightly found. Out: findings with the edits they came with; counts per kind.
// Owns:    nothing. Threads: pure. Fails: never.
#pragma once

#include <set>

#include "client/nightly.h"

namespace heddle::client {

struct NightlyIncrement {
  std::vector<std::string> kinds, functions;
  bool inconclusive = false;
  std::vector<std::string> told, fixed;  // ids
};

// The edits whose check told the finding; none: it is older.
std::vector<const NightlyIncrement*> told_by(const std::vector<NightlyIncrement>& increments, const std::string& id);
// The edits that may have brought what nobody told: those of a function the finding is in, else all of them.
std::vector<const NightlyIncrement*> may_have_brought(const std::vector<NightlyIncrement>& increments,
                                                      const std::set<std::string>& functions);
std::vector<std::string> kinds_of(const std::vector<const NightlyIncrement*>& increments);  // each once

// Edits, inconclusive ones and repaired findings; those of the lists are counted from the findings.
std::vector<NightlyKind> count_by_kind(const std::vector<NightlyIncrement>& increments, const NightlyTarget& target);
void add_kinds(std::vector<NightlyKind>& to, const std::vector<NightlyKind>& from);

}  // namespace heddle::client
