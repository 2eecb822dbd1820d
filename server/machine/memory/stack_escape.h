// Finds uses of dangling pointers to local variables. A local variable whose address outlives its frame keeps its
// object number for a while, so that later calls do not take the number.
//
// In:      stores, copies and returns of addresses of stack objects.
// Out:     Object::flags kEscaped; State::end_stack_objects() leaves the numbers of such objects unused.
// Cost:    one test per 8-byte store and per return; at most kRetiredMost unused numbers of a thread at a time.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; under-approximates. Not seen are addresses in copies of more than 64 bytes, and in registers of
//          other frames. Their uses are noticed until a new object takes the number.
#pragma once

#include <cstdint>
#include <string>

#include "server/machine/state.h"

namespace heddle::machine {

inline constexpr uint8_t kEscaped = 64;  // Object::flags
inline constexpr uint32_t kRetiredMost = 8;

// Object numbers of stack objects have both bits 20 and 21 set (see kHeapChunks); few other values look like that.
inline bool may_be_stack_address(uint64_t value) { return (value >> 48 & 0x30) == 0x30; }
static_assert(kThreadChunks == 64 && kHeapChunks == 48);

// How large it is: "8 MB".
std::string stack_text(const Thread& t);

// The address `value` is stored at `target` (0: it is returned, or given to a thread).
void note_stack_address(Machine::State& state, const Thread& t, uint64_t target, uint64_t value);

}  // namespace heddle::machine
