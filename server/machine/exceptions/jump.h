// Leaves frames from within: longjmp, pthread_exit, cancellation.
//
// In:      a thread whose innermost frames have to end.
// Out:     the thread stands where it continues, or at its end.
// Owns:    nothing; the jumps of a thread (Thread::jumps) are in the arena.
// Threads: the thread that uses the machine.
// Fails:   false after a fault: the frame to jump to has ended, or a frame that must not be left is in between.
// From:    ISO C17 7.13; POSIX.1-2017 2.9.5 (cleanup handlers of cancelled threads).
#pragma once

#include "server/machine/state.h"

namespace heddle::machine {

// The innermost frame ends; its caller stands at the call. False after a fault.
bool leave_frame(Machine::State& s, Thread& t);
// The thread ends with this result: at its newest cleanup handler first, if it has one. False after a fault.
bool end_thread(Machine::State& s, Thread& t, uint64_t result);
// Is there an initialiser of pthread_once among the frames above this one (0: the thread's first)?
bool in_initialiser(const Thread& t, uint32_t above);
// The innermost one ends: another call may try. That is a visible operation, after which the frames below end, as the
// exception says (0: at the thread's next cleanup handler).
void leave_initialiser(Machine::State& s, Thread& t, uint64_t exception);

}  // namespace heddle::machine
