// Decides a slice of few input bits by trying every value of its inputs.
//
// In:      a pool, the conditions of a slice.
// Out:     whether the slice can hold, and its smallest model. Nothing: there are too many values, ask Z3.
// Cost:    the operations of the slice for each value up to the smallest model, at most kOperationsMost.
// Owns:    nothing.
// Threads: any. Two threads may share a pool as long as none adds to it.
// Fails:   never.
#pragma once

#include <optional>

#include "server/symbolic/solver.h"

namespace heddle::symbolic {

inline constexpr uint64_t kOperationsMost = 1 << 22;  // about 30 ms

std::optional<Answer> solve_by_trying(const Pool& pool, const Slice& slice);

}  // namespace heddle::symbolic
