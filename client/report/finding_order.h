// One defect, one finding: which findings are shown below another one, and in which order all of them are shown.
//
// In:      findings of one check; the engine says which of them are one defect (Finding::group).
// Out:     defects that the check introduced first; the finding that stands for a defect before the others of it.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

// Another finding stands for its defect: a race of the same missing lock, or what a race leads to.
bool is_below_another(const v1::Finding& finding);
// The id of that finding, or its own.
const std::string& defect_of(const v1::Finding& finding);
// Neither suppressed, fixed nor kept from an earlier version: one that counts.
bool counts(const v1::Finding& finding);

std::vector<v1::Finding> in_order(std::vector<v1::Finding> findings);

}  // namespace heddle::client
