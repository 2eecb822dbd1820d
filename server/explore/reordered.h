// Continues from a schedule in which one choice, with all that it needs, comes before another one.
//
// In:      an image, a schedule of it, two choices in it, a Task (visible statements, machine options, budget).
// Out:     one finding: the error that the interleaving leads to, if it leads to one; else without a rule. Both
//          have the interleaving as it was run, never with fewer switches, and with Finding::moved. If happens-before
//          or the program itself forbids the order, there is no interleaving and the message says why.
// Cost:    three runs of the schedule, one more for the interleaving.
// Owns:    nothing that outlives its input.
// Threads: callable anywhere; makes machines of its own.
// Fails:   never; a schedule that is not one of this program is such a message.
// From:    a set of events that is closed under happens-before is the beginning of an execution (Mazurkiewicz traces).
//
// What was between the two and is not needed comes after the moved choice, in its old order, as far as it can. When the
// schedule has ended, threads continue without needless switches. If all that ends without an error, a second try lets
// the moved thread run alone as far as it can: an error that it comes to counts.
//
// The two accesses of a race may be inside of choices that are ordered. All plain accesses to the racing object are
// then scheduling points, and the last one of `choice` comes before the first one of `before` that nothing orders
// before it.
#pragma once

#include "server/explore/explore.h"

namespace heddle::explore {

struct Move {
  // Beyond the schedule: what a thread would do next (a blocked one, at the end of a deadlock).
  static constexpr size_t kNext = size_t{1} << 31;  // + the thread's number
  size_t choice = 0, before = 0;                    // in the schedule, from 0
};

Result explore_reordered(const machine::ImagePtr& image, const detect::Schedule& schedule, const Move& move,
                         const Task& task, const Listener& listener);

}  // namespace heddle::explore
