// Threads that go round for ever although each of them could go on: waits with a time limit whose condition nobody will
// make true, retries that only undo what they did.
//
// In:      a machine whose path has come back to a state, or is very long.
// Out:     whether no choice leads out of here: no end of the process, no error, no deadlock; then the operations at
//          which the threads go round, and the fingerprints of all states they can be in.
// Cost:    at most kStatesMost states, each entered once; the machine is as it was afterwards.
// Owns:    a value. Threads: as the machine. Fails: never; too many states count as a way out.
// From:    a bottom strongly connected component without an end: whatever a fair scheduler does, the program stays in
// it.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::explore {

struct Rounds {
  std::vector<machine::Operation> waits;  // of each thread that goes round one: a wait, if it has one
  std::unordered_set<uint64_t> states;
};

std::optional<Rounds> endless_rounds(machine::Machine& machine);
uint64_t state_of_round(machine::Machine& machine);

}  // namespace heddle::explore
