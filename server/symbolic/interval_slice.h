// Decides a slice by ranges and known bits of its values: halves the range of one input after another, follows each half
// through the operations forwards and backwards, and leaves out halves in which a condition cannot hold. Quick where
// conditions compare texts, digits, sums, quotients and parts of words with numbers or with each other.
//
// In:      a pool, the conditions of a slice.
// Out:     whether the slice can hold, and its smallest model. Nothing: it would take too many steps.
// Cost:    at most kIntervalOperationsMost operations followed forwards or backwards.
// Owns:    nothing.
// Threads: any. Two threads may share a pool as long as none adds to it.
// Fails:   never.
// From:    constraint propagation with backtracking; ranges.h.
#pragma once

#include <optional>

#include "server/symbolic/solver.h"

namespace heddle::symbolic {

inline constexpr uint64_t kIntervalOperationsMost = 1 << 17;  // about 5 ms

std::optional<Answer> solve_by_intervals(const Pool& pool, const Slice& slice);

}  // namespace heddle::symbolic
