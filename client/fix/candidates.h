// Which fixes are worth a trial for a finding, the most fitting first.
//
// In:      the situation of a finding.
// Out:     candidates, no two of which give the same texts.
// Owns:    values.
// Threads: pure function.
// Fails:   never; empty: no idea.
#pragma once

#include <vector>

#include "client/fix/situation.h"

namespace heddle::client::fix {

std::vector<Candidate> candidates_for(const Situation& situation);

}  // namespace heddle::client::fix
