// Makes the pairs of threads whose interleavings an edit affects, the most promising first.
//
// In:      facts of the new version, fragments, the roles that each affects.
// Out:     pairs: every instance of a modified role with every instance of every role.
// Cost:    fragments times roles squared at most.
// Owns:    nothing; values.
// Threads: pure function, callable anywhere.
// Fails:   never.
// From:    Pairwise Figure 2, lines 1 to 5. Differs: two instances of one role are one pair. The search explores both
//          orders if the two threads do different things (server/explore/instances.h).
#pragma once

#include "server/edit/fragments.h"

namespace heddle::edit {

std::vector<Pair> make_pairs(const Facts& facts, const Fragments& fragments);

}  // namespace heddle::edit
