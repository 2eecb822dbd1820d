// The happens-before order of a run, reduced to what an arrow is drawn for.
//
// In:      a Machine, asked after each operation it performed.
// Out:     for each operation those of other threads that are ordered before it and before which no other of them is:
//          the order is the transitive closure of program order and these. A thread's first operation comes after its
//          creation.
// Owns:    per thread and operation what was known then. Threads: one, the machine's.
// Fails:   never.
// From:    vector clocks (Mattern); the direct edges are their transitive reduction.
#pragma once

#include <vector>

#include "server/machine/machine.h"

namespace heddle::detect {

// The `number`th visible operation of the thread, from 1.
struct EventNumber {
  machine::ThreadId thread;
  uint32_t number = 0;
  auto operator<=>(const EventNumber&) const = default;
};

class DirectOrder {
 public:
  // `thread` has just performed an operation.
  std::vector<EventNumber> performed(const machine::Machine& machine, machine::ThreadId thread);

 private:
  using Known = std::vector<uint32_t>;  // per thread: how many of its operations are ordered before
  const Known& known_at(EventNumber event) const;

  std::vector<std::vector<Known>> known_;  // per thread and number
};

}  // namespace heddle::detect
