// What a blocked thread would still do if it went on: the interactions in code that it has not left behind.
//
// In:      a machine and a thread that has a pending operation; the facts of the program (none: nothing is known).
// Out:     whether some way from there performs an interaction of given kinds on an object.
// Cost:    linear in the code that the thread can still reach.
// Owns:    nothing. Threads: pure functions.
// Fails:   never; over-approximates, as the facts do.
#pragma once

#include <vector>

#include "server/machine/machine.h"

namespace heddle::detect {

// Interactions in the code behind the thread's pending operation, in its frames and all they call; each once.
std::vector<const analysis::Interaction*> remaining_interactions(const machine::Machine& machine,
                                                                 machine::ThreadId thread);

// Could the thread still end what `operation` waits for: signal the condition variable, post the semaphore, write what
// a spinning or futex wait looks at? Locks and joins wait for a thread that is known, and are not asked for here.
bool may_release(const machine::Machine& machine, const std::vector<const analysis::Interaction*>& remaining,
                 const machine::Operation& operation);

}  // namespace heddle::detect
