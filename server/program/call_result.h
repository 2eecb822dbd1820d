// Names the bits of Instruction::flags that describe the result of a Call, and release sequences of atomic stores.
//
// In:      nothing.
// Out:     constants. On a Call of a function that nothing defines, Instruction::width is the result's width in bits
//          (0: no result, or an aggregate).
// Owns:    nothing.
// Threads: constants.
// Fails:   never.
// From:    C++20 6.9.2.2 and C23 (release sequences).
#pragma once

#include <cstdint>

namespace heddle::program {

inline constexpr uint8_t kCallPointer = 1;       // the result is a pointer
inline constexpr uint8_t kCallFloat = 2;         // the result is a floating-point number
inline constexpr uint8_t kCallEndsSequence = 4;  // on calls of the atomics library: as kEndsSequence

// On AtomicStore, set from C++20 and C23 on: a relaxed store also ends a release sequence of its own thread.
inline constexpr uint8_t kEndsSequence = 64;

}  // namespace heddle::program
