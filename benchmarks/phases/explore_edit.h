// What exploring an edit costs: the first look, the pairs of step 1, step 2 and everything, one after the other on one
// core.
//
// In:      the versions' facts, what the edit affects, seconds that each pair and each whole search may take.
// Out:     one line for each: searches, those cut off, states, interleavings, instructions, findings, milliseconds.
// Owns:    nothing. Threads: one. Fails: never; a search that is cut off is counted as such.
#pragma once

#include "server/analysis/analysis.h"
#include "server/edit/edit.h"

namespace heddle::bench {

void explore_edit(const analysis::FactsPtr& facts, const edit::Impact& impact, const edit::Relevant& relevant,
                  double seconds);

}  // namespace heddle::bench
