// Leaving frames from below: longjmp, pthread_exit, cancellation.
//
// In:      a thread whose innermost frames are to end. Out: the thread stands where it goes on.
// Owns:    Thread::jumps, in the arena. Threads: one.
// Fails:   a jump into a frame that has ended is a fault.
// From:    C17 7.13; POSIX.1-2017 2.9.5.3 (thread cancellation cleanup handlers).
#pragma once

#include "server/machine/state.h"

namespace heddle::machine {

// The innermost frame ends; its caller stands at the call. False after a fault.
bool leave_frame(Machine::State& s, Thread& t);
// The thread ends with this result: at its newest cleanup handler first, if it has one. False after a fault.
bool end_thread(Machine::State& s, Thread& t, uint64_t result);

}  // namespace heddle::machine
