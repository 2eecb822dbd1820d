// Decides a slice by trying values of its inputs, the smallest first.
//
// In:      a pool, the conditions of a slice.
// Out:     whether the slice can hold, and its smallest model. Nothing: no model is among the values for which there was
//          room, and there are others; ask another way.
// Cost:    the operations of the slice for each value up to the smallest model: at most kOperationsMost where that is
//          every value, at most kOperationsBegun where it is not.
// Owns:    nothing.
// Threads: any. Two threads may share a pool as long as none adds to it.
// Fails:   never.
#pragma once

#include <optional>

#include "server/symbolic/solver.h"

namespace heddle::symbolic {

inline constexpr uint64_t kOperationsMost = 1 << 22;   // about 30 ms
inline constexpr uint64_t kOperationsBegun = 1 << 16;  // about 0.5 ms

std::optional<Answer> solve_by_trying(const Pool& pool, const Slice& slice);

}  // namespace heddle::symbolic
