// Turns changed statements into fragments (l_mod): each with the code around it, merged where that code touches, with a
// range and a description.
//
// In:      a change set; for whole_functions, facts of one version.
// Out:     fragments of the new version in order of function and code, with the roles that each affects.
// Cost:    linear in the affected functions.
// Owns:    nothing; values.
// Threads: one, as the change set.
// Fails:   never.
// From:    Pairwise section 2. Differs: changed statements whose code touches share one fragment (`x++` is a read and a
//          write). A changed call of a function that interacts is a statement, and all it runs belongs to it.
#pragma once

#include "server/edit/change_set.h"

namespace heddle::edit {

// True if the statement starts, joins or ends threads.
bool is_of_threads(analysis::InteractionKind kind);

struct Fragments {
  std::vector<Fragment> fragments;
  std::vector<std::vector<RoleId>> roles;  // parallel: the roles that run it, or whose running is affected
};

Fragments make_fragments(ChangeSet& changes);
// Every project function with interactions as one fragment: for a first version.
Fragments whole_functions(const FactsPtr& facts, const Summaries& summaries);

// "write of account.balance", "lock of m", "call of update", "assertion"
std::string describe(const Facts& facts, CodeAddress at);

}  // namespace heddle::edit
