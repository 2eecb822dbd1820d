// Loops that try a compare-exchange again with the value that the failed one returned. Internal to the folder.
//
// In:      a thread that has performed an atomic access, in a machine with Options::exact_spins.
// Out:     what Machine::tries_again() needs of it.
// Owns:    nothing; what is kept lies in the arena.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include "server/machine/state.h"

namespace heddle::machine {

// Completes the step of the round that the access is.
void note_retry(Machine::State& s, const Thread& t, const Operation& op, RoundStep& step);

}  // namespace heddle::machine
