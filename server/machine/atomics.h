// Happens-before of atomic accesses, shared by instructions and libatomic.
//
// Owns:    nothing. Threads: one.
#pragma once

#include "server/machine/state.h"

namespace heddle::machine {

void synchronise_load(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order);
void synchronise_store(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order, bool update);
void synchronise_fence(Machine::State& s, Thread& t, MemoryOrder order);
Object* atomic_object(Machine::State& s, Thread& t, Pointer at, uint32_t size, bool writes);  // null after a fault

}  // namespace heddle::machine
