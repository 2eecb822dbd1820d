// The happens-before order of a run, reduced to the edges for which an arrow is drawn.
//
// In:      a Machine, asked after each operation that it performed.
// Out:     per operation its direct predecessors in other threads. The order is the transitive closure of these edges
//          and program order; a thread's first operation comes after its creation, unless begun() gave that edge to
//          an access before it.
// Owns:    per thread and operation, what was ordered before it.
// Threads: the thread that uses the machine.
// Fails:   never.
// From:    Mattern 1989 (vector clocks); the direct edges are their transitive reduction.
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
  // `thread` was created by the last operation: what is directly before all that it does, plain accesses included.
  std::vector<EventNumber> begun(const machine::Machine& machine, machine::ThreadId thread);

 private:
  using Known = std::vector<uint32_t>;  // per thread: how many of its operations are ordered before
  std::vector<EventNumber> learn(const machine::Machine& machine, EventNumber event, const Known& before);
  const Known& known_at(EventNumber event) const;

  std::vector<std::vector<Known>> known_;  // per thread and number
};

}  // namespace heddle::detect
