// Decides a slice by intervals: halves the range of one input after another, and leaves out halves in which a condition
// cannot hold. Quick where conditions compare sums, quotients, remainders and digits with numbers.
//
// In:      a pool, the conditions of a slice.
// Out:     whether the slice can hold, and its smallest model. Nothing: it has more than two inputs, or would take too
//          many steps.
// Cost:    the operations of the slice for each range, at most kIntervalOperationsMost.
// Owns:    nothing.
// Threads: any. Two threads may share a pool as long as none adds to it.
// Fails:   never.
#pragma once

#include <optional>

#include "server/symbolic/solver.h"

namespace heddle::symbolic {

inline constexpr uint64_t kIntervalOperationsMost = 1 << 18;  // about 5 ms

std::optional<Answer> solve_by_intervals(const Pool& pool, const Slice& slice);

}  // namespace heddle::symbolic
