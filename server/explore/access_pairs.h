// Pairs of operations whose order can matter, and which of them to try first in the other order. Internal to the
// folder.
//
// In:      two dependent operations of different threads, or one with several alternatives.
// Out:     a rank: the lower, the sooner an error is expected from the order.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
// From:    Chen 2009, chapter 6: read-write pairs, then waits with signals, then writes, then locks. Differs: signals
//          come first, since a lost one is an error by itself, and locks taken while another is held come before
//          other locks, since they decide deadlocks.
#pragma once

#include <cstdint>

#include "server/machine/types.h"

namespace heddle::explore {

enum class PairRank : uint8_t {
  WaitAndSignal,  // a wait, and what ends it: signals, semaphore posts, barriers, ends of threads
  ReadAndWrite,   // of memory
  NestedLocks,    // a lock taken by a thread that holds another one
  Alternatives,   // another outcome of one operation: a timeout, another waiter, another input
  Writes,         // two writes
  Locks,          // other critical sections
  Rest,
};

// Whether the operation waits for others, or ends others' waits; locks do not count.
bool waits_or_signals(const machine::Operation& operation);

// `nested`: one of the threads holds another lock. `signals`: they are critical sections, both of which wait or signal.
PairRank rank_of(const machine::Operation& earlier, const machine::Operation& later, bool nested, bool signals);

}  // namespace heddle::explore
