// Copies of locks in use. The bytes of a lock that is held, or of a condition variable that is waited for, make no lock
// where they are copied to: a mark stands there, as glibc's own words do.
//
// In:      a copy of bytes between before_store and after_store.
// Out:     the bytes of the copy, marked; whether something at an address is such a copy.
// Owns:    nothing; the mark is guest memory.
// Threads: the thread that uses the machine.
// Fails:   never.
// From:    POSIX.1-2017, 2.9.9 (only the object itself may be used, no copy of it).
#pragma once

#include <string>

#include "server/machine/state.h"

namespace heddle::machine {

void mark_copied_locks(const Machine::State& state, Object& target, Pointer to, Pointer from, uint64_t size);
// How a message continues about what is there: ", which is a copy of a lock in use"; empty if it is none.
std::string copy_in_use(const Machine::State& state, Pointer at);

}  // namespace heddle::machine
