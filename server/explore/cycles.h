// Non-progress cycles: threads that run forever although each could continue, such as timed waits whose condition stays
// false, or retries that undo what they did.
//
// In:      a machine whose path has come back to a state, or is very long.
// Out:     whether no choice leads to an end of the process, an error or a deadlock. Then per cycle that is never left
//          the operations in it, and the fingerprints of all states from here on. Whether that was decided.
// Cost:    at most 1,000 states, and 50,000 in which one thread alone can continue; each entered once.
// Owns:    nothing; the result is a value. The search rewinds the machine to the state in which it found it.
// Threads: the thread that uses the machine.
// Fails:   never; too many states (`undecided`), or a parked thread, count as a way out.
//
// A fair scheduler reaches a bottom strongly connected component of the states and never leaves it.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::explore {

struct NonProgressCycles {
  std::vector<std::vector<machine::Operation>> waits;  // per cycle one operation of each thread in it, a wait if any
  std::unordered_set<uint64_t> states;
};

// Nothing: there is a way out, or too much to decide, which sets `undecided`.
std::optional<NonProgressCycles> non_progress_cycles(machine::Machine& machine, bool& undecided);
uint64_t cycle_state(machine::Machine& machine);

}  // namespace heddle::explore
