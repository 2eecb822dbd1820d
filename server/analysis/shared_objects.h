// Which objects threads share, and which local variables leave their function as an argument only (escape analysis).
// Internal to this folder.
//
// In:      the solved constraints; roles, sub-objects and parallel code of Facts.
// Out:     Object::shared; Facts::escapes_only_as_argument and argument_escapes.
// Cost:    linear in accesses times their points-to sets.
// Owns:    nothing; the results are in Facts.
// Threads: one, as the builder.
// Fails:   never; more than 64 roles share bits, so that an object may count as shared that is not.
// From:    MHB section 3.
#pragma once

#include "server/analysis/builder.h"

namespace heddle::analysis {

void find_shared_objects(const Builder& builder, const LibraryRows& rows, Facts& facts);
void find_argument_escapes(const Builder& builder, Facts& facts);

}  // namespace heddle::analysis
