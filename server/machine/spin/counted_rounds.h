// Loops that look again and again, but only a few times, and whose count of rounds decides something afterwards: in
// each round the others may come between.
//
// In:      a thread at a pending read that it repeats.
// Out:     whether it stands in such a loop: a constant bound that at most kRoundsUnrolled rounds are away, and a
//          counter that the code after the loop uses for more than a comparison with this bound.
// Cost:    linear in the code of the functions on top of the stack.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; counters in memory, bounds that are no constants, and steps that are none give false.
#pragma once

#include "server/machine/state.h"

namespace heddle::machine {

bool rounds_decide(Machine::State& state, const Thread& t);

bool compares_with_constant(const program::Instruction& i);

}  // namespace heddle::machine
