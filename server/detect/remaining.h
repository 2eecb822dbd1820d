// What a blocked thread would still do if it continued: the interactions in the code ahead of it.
//
// In:      a machine whose image has facts; a thread with a pending operation.
// Out:     whether some path from there performs an interaction of a given kind on an object.
// Cost:    each instruction ahead of a frame, and each function it can call, is visited once.
// Owns:    nothing; the interactions belong to the facts.
// Threads: the thread that uses the machine.
// Fails:   never; over-approximates as the facts do, but finds nothing without facts.
#pragma once

#include <vector>

#include "server/machine/machine.h"

namespace heddle::detect {

// Interactions in the code after the thread's pending operation, in its frames and all they call; each once.
std::vector<const analysis::Interaction*> remaining_interactions(const machine::Machine& machine,
                                                                 machine::ThreadId thread);

// Could the thread still end what `operation` waits for: signal the condition variable, post the semaphore, write what
// a spinning or futex wait reads? False for locks and joins, which wait for a known thread.
bool may_release(const machine::Machine& machine, const std::vector<const analysis::Interaction*>& remaining,
                 const machine::Operation& operation);

}  // namespace heddle::detect
