// The unknown inputs of a path in words, for the message of a finding.
//
// In:      a machine at the end of the path.
// Out:     "with __VERIFIER_nondet_int() = 7 (line 5)"; empty if the path took no input.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; of many inputs the first eight are named.
#pragma once

#include <string>

#include "server/machine/machine.h"

namespace heddle::detect {

std::string inputs_text(const machine::Machine& machine);

}  // namespace heddle::detect
