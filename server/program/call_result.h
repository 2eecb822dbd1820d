// What a Call returns, for a callee that nothing defines: Instruction::width is the width of the result in bits (0:
// nothing, or an aggregate), Instruction::flags one of the first two. And what its language says of the stores that a
// call of the atomics library makes.
//
// In:      nothing. Out: constants. Owns: nothing. Threads: any. Fails: never.
#pragma once

#include <cstdint>

namespace heddle::program {

inline constexpr uint8_t kCallPointer = 1;
inline constexpr uint8_t kCallFloat = 2;
inline constexpr uint8_t kCallEndsSequence = 4;

// Bit of Instruction::flags of AtomicStore, from C++20 and C23 on: a relaxed store ends the release sequence of its own
// thread, too.
inline constexpr uint8_t kEndsSequence = 64;

}  // namespace heddle::program
