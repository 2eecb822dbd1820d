// Dangling pointers to local variables: a local variable whose address outlives its frame keeps its object number for a
// while, so that a use of the address is noticed although later calls took the stack.
//
// In:      stores, copies and returns of addresses of stack objects.
// Out:     Object::flags kEscaped; end_stack_objects leaves the numbers of such objects unused.
// Cost:    one test per 8-byte store and per return; at most kRetiredMost numbers of a thread at a time.
// Owns:    nothing. Threads: one.
// Fails:   never. Addresses that are copied as bytes of more than 64, or kept in another frame's registers, are
//          not seen: there the number is used again by the next call, and only until then the use is noticed.
#pragma once

#include <cstdint>

#include "server/machine/state.h"

namespace heddle::machine {

inline constexpr uint8_t kEscaped = 64;  // Object::flags
inline constexpr uint32_t kRetiredMost = 8;

// Object numbers of stack objects have both bits 20 and 21 set (see kHeapChunks); few other values look like that.
inline bool may_be_stack_address(uint64_t value) { return (value >> 48 & 0x30) == 0x30; }
static_assert(kThreadChunks == 64 && kHeapChunks == 48);

// The address `value` is stored at `target` (0: it is returned, or given to a thread).
void note_stack_address(Machine::State& state, const Thread& t, uint64_t target, uint64_t value);

}  // namespace heddle::machine
