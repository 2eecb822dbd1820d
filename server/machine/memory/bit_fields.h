// Says of a race that its bytes hold several bit-fields: they are one memory location, whichever of them is named.
//
// In:      the bytes that two threads access.
// Out:     the end of Fault::message: "; bit-fields 'a' and 'b' share one memory location"; empty if it is not so.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; memory whose type is not known gives nothing.
// From:    C17 3.14 (memory location), C++20 [intro.memory].
#pragma once

#include <string>
#include <string_view>

#include "server/machine/machine.h"

namespace heddle::machine {

inline constexpr std::string_view kBitFields = "; bit-fields";
std::string shared_bits(const Machine::State& state, Pointer at, uint32_t size);

}  // namespace heddle::machine
