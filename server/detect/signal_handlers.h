// What the code of installed signal handlers could do for a thread that waits, if a signal came from outside.
//
// In:      a machine; a pending operation that waits.
// Out:     whether a handler may end the wait: by a store to what it reads, a post, a signal, a byte in a descriptor.
// Cost:    the handlers' code, and what it calls by name, is read once for each question.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; over-approximates: a store through a pointer may be to any memory. Without facts it finds nothing.
#pragma once

#include "server/machine/machine.h"

namespace heddle::detect {

bool handler_may_release(const machine::Machine& machine, const machine::Operation& operation);

}  // namespace heddle::detect
