// Which operations are about holding a lock.
//
// In:      a kind of operation.
// Out:     yes or no.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include "server/machine/machine.h"

namespace heddle::detect {

// Is it the beginning of holding a lock?
bool takes_lock(machine::OperationKind kind);
// Can it be blocked because another thread holds a lock?
bool waits_for_lock(machine::OperationKind kind);

}  // namespace heddle::detect
