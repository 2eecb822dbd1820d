// Reports which project statements that matter to other threads were executed: interaction statements, and calls of
// library functions that have some.
//
// In:      facts of a version; of each exploration the code addresses that it executed.
// Out:     one statement per place, sorted by file, line and column, with the number of explorations that executed it.
// Cost:    linear in interactions, their callers, and executed addresses.
// Owns:    nothing; values.
// Threads: pure function, callable anywhere.
// Fails:   never; if an exploration did not end, `complete` is false.
#pragma once

#include <vector>

#include "heddle/v1/explorer.pb.h"
#include "server/analysis/analysis.h"

namespace heddle::engine {

v1::Coverage coverage_of(const analysis::Facts& facts, const std::vector<v1::JobResult>& results);

}  // namespace heddle::engine
