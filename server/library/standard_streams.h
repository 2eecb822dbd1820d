// How rows of functions that use stdin, stdout or stderr unasked say so.
//
// In:      nothing.
// Out:     a bit of SharedUse, no state of its own: kFiles where the program leads a standard descriptor to a file.
// Owns:    a constant.
// Threads: constant data.
// Fails:   never.
#pragma once

#include "server/library/states.h"

namespace heddle::library {

inline constexpr HiddenStates kStandard = 1u << kHiddenStates;

}  // namespace heddle::library
