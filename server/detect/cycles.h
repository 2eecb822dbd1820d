// Threads that wait for locks of each other in a circle: none of them ever goes on, whatever the others do.
//
// In:      a machine; or any relation of who waits for whom.
// Out:     cycles of which no thread can be left out, each beginning with its lowest thread, smaller first threads
// first.
//          A thread waits for all who hold what it wants, so one of them that never lets go is enough; and since the
//          threads of a cycle stay as they are, all orders of an execution's independent steps lead to the same cycles.
// Owns:    nothing. Threads: one.
// Fails:   never. Cycles can be as many as combinations of readers; programs have few.
#pragma once

#include <functional>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::detect {

using Cycle = std::vector<machine::ThreadId>;
// Ascending; only threads that wait themselves matter.
using WaitsFor = std::function<std::vector<machine::ThreadId>(machine::ThreadId)>;

// Who holds the lock (the owner, or everybody who has locked it for reading), ascending.
std::vector<machine::ThreadId> lock_holders(const machine::Machine& machine, machine::Pointer lock);

std::vector<Cycle> cycles_through(machine::ThreadId thread, const WaitsFor& waits_for);
std::vector<Cycle> all_cycles(uint32_t thread_count, const WaitsFor& waits_for);

// Cycles of lock owners and waiters, while other threads may still run.
std::vector<Cycle> lock_cycles_through(machine::Machine& machine, machine::ThreadId thread);
std::vector<Cycle> lock_cycles(machine::Machine& machine);

}  // namespace heddle::detect
