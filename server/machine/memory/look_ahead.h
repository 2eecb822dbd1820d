// What becomes of a value that a thread loads and that was not written, or not whole: the thread's next instructions,
// performed without effect, with the bits that were never written followed one by one.
//
// In:      a machine, and a thread that is about to perform a load.
// Out:     whether a branch, a switch, an address or a library call depends on bytes of this load, or of a later one, which
//          says so then (`Thread::decisive_load`); and which of the next stores leave bytes as unwritten as they were
//          (`Thread::later`).
// Cost:    at most 64 instructions, about 20 ns each. The loads among them are not looked at again.
// Owns:    nothing; it changes these members of the thread.
// Threads: the thread that uses the machine.
// Fails:   never; under-approximates. It ends at whatever other threads notice, at branches on what it does not know, and
//          after four stores of unwritten bytes. A byte of which some bits are written counts as written later on.
#pragma once

#include "server/machine/machine.h"
#include "server/machine/memory/object.h"
#include "server/machine/thread.h"

namespace heddle::machine {

// A bit per byte from `offset` on that was never written. At most 8 bytes; the object has such bits.
uint32_t unwritten_bytes(const Object& o, uint32_t offset, uint32_t size);

// At a load that finds unwritten bytes. `follow`: the value is used for more than a copy.
bool unwritten_decides(Machine::State& state, Thread& t, bool follow);

// Which bytes the store that the thread performs leaves unwritten, a bit each. It is taken off the list.
uint32_t left_by_store(const Machine::State& state, Thread& t);

}  // namespace heddle::machine
