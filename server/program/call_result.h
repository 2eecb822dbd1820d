// Names the bits of Instruction::flags that describe the result of a Call, and release sequences of atomic stores; and
// how a call's result is shown as its type has it.
//
// In:      a function and the index of a Call in its code.
// Out:     constants. On a Call of a function that nothing defines, Instruction::width is the result's width in bits
//          (0: no result, or an aggregate).
// Owns:    nothing.
// Threads: constants; pure functions.
// Fails:   never.
// From:    C++20 6.9.2.2 and C23 (release sequences).
#pragma once

#include <cstdint>

#include "server/program/unit.h"

namespace heddle::program {

inline constexpr uint8_t kCallPointer = 1;       // the result is a pointer
inline constexpr uint8_t kCallFloat = 2;         // the result is a floating-point number
inline constexpr uint8_t kCallEndsSequence = 4;  // on calls of the atomics library: as kEndsSequence
inline constexpr uint8_t kCallUnsigned = 8;      // the function is declared to return an integer without sign

// What a call returns is described by an entry of Function::locals that is valid nowhere: begin and end are the call's
// index. It has the result's type, and of a variable that an annotation makes unknown the name (else none). Null: what
// the instruction says is all that is known, a signed integer for instance.
inline bool describes_result(const LocalVariable& local) { return local.begin == local.end; }
inline const LocalVariable* described_result(const Function& function, uint32_t call) {
  for (const LocalVariable& local : function.locals)
    if (describes_result(local) && local.begin == call) return &local;
  return nullptr;
}

// On AtomicStore, set from C++20 and C23 on: a relaxed store also ends a release sequence of its own thread.
inline constexpr uint8_t kEndsSequence = 64;

}  // namespace heddle::program
