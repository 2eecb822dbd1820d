// Threads that go round for ever although each of them could go on: waits with a time limit whose condition nobody will
// make true, retries that only undo what they did.
//
// In:      a machine whose path has come back to a state, or is very long.
// Out:     whether no choice leads out of here: no end of the process, no error, no deadlock; then, for each set of
//          states that is not left any more, the operations at which threads go round in it; and the fingerprints of
//          all states from here on, also of those on the way to such a set.
// Cost:    at most kStatesMost states, each entered once; the machine is as it was afterwards.
// Owns:    a value. Threads: as the machine. Fails: never; too many states count as a way out.
// From:    bottom strongly connected components without an end: a fair scheduler gets into one and stays there.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::explore {

struct Rounds {
  std::vector<std::vector<machine::Operation>> waits;  // of each thread that goes round one: a wait, if it has one
  std::unordered_set<uint64_t> states;
};

std::optional<Rounds> endless_rounds(machine::Machine& machine);
uint64_t state_of_round(machine::Machine& machine);

}  // namespace heddle::explore
