// Names an edit in a developer's terms: "lock dropped", "condition changed".
//
// In:      a change set.
// Out:     the kinds, sorted, each once, at least one.
// Cost:    linear in what differs, and in the library functions that differing calls run.
// Owns:    nothing.
// Threads: one, as the change set.
// Fails:   never.
#pragma once

#include "server/edit/change_set.h"

namespace heddle::edit {

std::vector<EditKind> kinds_of(ChangeSet& changes);

}  // namespace heddle::edit
