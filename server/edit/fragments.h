// From changed statements to l_mod: the code around them, merged where it touches, with a range and a description.
//
// In:      a change set. Out: fragments of the new version, in order of function and code.
// Cost:    linear in the affected functions. Owns: values. Threads: one. Fails: never.
// From:    Pairwise section 2. Differs: changed statements whose code touches share one fragment (`x++` is a read and
//          a write); a changed call of a function that interacts is a statement, and all it runs belongs to it.
#pragma once

#include "server/edit/change_set.h"

namespace heddle::edit {

// Starts, joins or ends threads.
bool is_of_threads(analysis::InteractionKind kind);

struct Fragments {
  std::vector<Fragment> fragments;
  std::vector<std::vector<RoleId>> roles;  // parallel: the roles whose running it is affected
};

Fragments make_fragments(ChangeSet& changes);
// Every function with interactions as one fragment: for a first version.
Fragments whole_functions(const FactsPtr& facts, const Summaries& summaries);

// "write of account.balance", "lock of m", "call of update", "assertion"
std::string describe(const Facts& facts, CodeAddress at);

}  // namespace heddle::edit
