// What a Call returns, for a callee that nothing defines: Instruction::width is the width of the result in bits (0:
// nothing, or an aggregate), Instruction::flags one of these.
//
// In:      nothing. Out: constants. Owns: nothing. Threads: any. Fails: never.
#pragma once

#include <cstdint>

namespace heddle::program {

inline constexpr uint8_t kCallPointer = 1;
inline constexpr uint8_t kCallFloat = 2;

}  // namespace heddle::program
