// Taking back what an edit changed, hunk by hunk.
//
// In:      the situation of a finding, and the texts before the edit.
// Out:     candidates: the hunk at the finding first, then those in its functions, then all of them.
// Owns:    values.
// Threads: pure function.
// Fails:   never; without older texts, or where nothing differs, there is no candidate.
#pragma once

#include <vector>

#include "client/fix/situation.h"

namespace heddle::client::fix {

std::vector<Candidate> undo_candidates(const Situation& situation, const ReadText& older);

}  // namespace heddle::client::fix
