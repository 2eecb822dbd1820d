// Which statements of the project that matter to other threads were executed.
//
// In:      facts of a version; of each exploration the code addresses it executed.
// Out:     a statement per place, sorted by file, line and column, with the number of explorations that executed it.
// Cost:    linear in code. Owns: nothing. Threads: pure. Fails: never.
#pragma once

#include <vector>

#include "heddle/v1/explorer.pb.h"
#include "server/analysis/analysis.h"

namespace heddle::engine {

v1::Coverage coverage_of(const analysis::Facts& facts, const std::vector<v1::JobResult>& results);

}  // namespace heddle::engine
