// Places of a finding that only a recorded run knows: who started a thread that is in library code, and where the last
// pointer to a leaked block was written over.
//
// In:      a machine that recorded the finding's schedule to its end, and the finding.
// Out:     the finding's places.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; the places stay as they are.
#pragma once

#include "server/detect/finding.h"

namespace heddle::detect {

void name_known_by_recording(machine::Machine& machine, Finding& finding);

}  // namespace heddle::detect
