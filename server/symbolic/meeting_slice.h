// Decides a slice with an equation such as "hash of these bytes == number": the values of the last inputs are followed
// backwards from the number, those of the others forwards, until they meet.
//
// In:      a pool, the conditions of a slice.
// Out:     whether the slice can hold, and its smallest model. Nothing: no condition is such an equation, or it would
//          take too many steps.
// Cost:    a table of at most kMeetingLastMost values, and at most kMeetingOperationsMost operations.
// Owns:    nothing.
// Threads: any. Two threads may share a pool as long as none adds to it.
// Fails:   never.
// From:    meet in the middle: Diffie, Hellman 1977, for the inversion of a composition.
#pragma once

#include <optional>

#include "server/symbolic/solver.h"

namespace heddle::symbolic {

inline constexpr uint64_t kMeetingLastMost = 1 << 16;
inline constexpr uint64_t kMeetingOperationsMost = 1 << 24;  // about 0.2 s

std::optional<Answer> solve_by_meeting(const Pool& pool, const Slice& slice);

}  // namespace heddle::symbolic
