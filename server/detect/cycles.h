// Threads that wait for locks of each other in a circle: none of them ever continues, whatever the others do.
//
// In:      a machine; or any relation of which thread waits for which.
// Out:     cycles of which no thread can be left out. Each begins with its lowest thread; all_cycles() sorts them by
//          it.
// Cost:    exponential in the number of readers that hold one lock; with one owner per lock, a walk along the owners.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; empty after the path's end.
//
// A thread waits for all holders of what it wants, so one holder that never releases it is enough. The threads of a
// cycle never move, so all orders of an execution's independent steps lead to the same cycles.
#pragma once

#include <functional>
#include <vector>

#include "server/machine/machine.h"

namespace heddle::detect {

using Cycle = std::vector<machine::ThreadId>;
// Ascending; threads in it that do not wait do not matter.
using WaitsFor = std::function<std::vector<machine::ThreadId>(machine::ThreadId)>;

// The threads that hold the lock (the owner, or all that have locked it for reading), ascending.
std::vector<machine::ThreadId> lock_holders(const machine::Machine& machine, machine::Pointer lock);

std::vector<Cycle> cycles_through(machine::ThreadId thread, const WaitsFor& waits_for);
std::vector<Cycle> all_cycles(uint32_t thread_count, const WaitsFor& waits_for);

// Cycles of lock owners and waiters, while other threads may still run.
std::vector<Cycle> lock_cycles_through(machine::Machine& machine, machine::ThreadId thread);
std::vector<Cycle> lock_cycles(machine::Machine& machine);

}  // namespace heddle::detect
