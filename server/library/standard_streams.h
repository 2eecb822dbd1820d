// How rows of functions that use stdin, stdout or stderr unasked say so, and which calls use memory through a stream.
//
// In:      a row.
// Out:     a bit of SharedUse, no state of its own: kFiles where the program leads a standard descriptor to a file.
//          Whether a call makes a stream of memory, or may use the memory of one.
// Owns:    a constant.
// Threads: constant data.
// Fails:   never.
#pragma once

#include "server/library/function.h"

namespace heddle::library {

inline constexpr HiddenStates kStandard = 1u << kHiddenStates;

// From then on calls on the stream use what arguments 0 and 1 point to.
inline bool streams_memory(const Function& row) { return row.name == "fmemopen" || row.name == "open_memstream"; }

// Streams and descriptors count as one.
inline bool uses_streams(const Function& row) { return ((row.hidden.reads | row.hidden.writes) & kFiles) != 0; }

}  // namespace heddle::library
