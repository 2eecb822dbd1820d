// Barriers in execution graphs. The threads that arrive in a round commute as long as no thread asks which was the
// last: an arrival is an event that follows nothing, and after it the thread has an event for each of the others, which
// follows that one's arrival. Where the order of arrivals matters, a barrier is an object like any other.
#include <algorithm>

#include "server/explore/graph_machine.h"

namespace heddle::explore {

using graph::EventId;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

// The search begins anew with that.
void GraphMachine::order_arrivals(machine::Pointer barrier) {
  joined_.order_arrivals(barrier.bits);
  stop_ = begin_anew_ = true;
}

void GraphMachine::perform_arrival(uint32_t thread, const Operation& operation, EventId id) {
  const graph::LocationId barrier = location_of(thread, operation, true);
  const uint32_t round = machine_.barrier_round(operation.object);
  const bool took_part = round == 0 || std::any_of(arrivals_.begin(), arrivals_.end(), [&](const Arrival& before) {
                           return before.barrier == barrier && before.thread == thread && before.round == round - 1;
                         });
  if (!took_part) return order_arrivals(operation.object);  // more threads than it has places
  step(thread, std::nullopt);
  arrivals_.push_back({barrier, thread, round, id, machine_.event_count(ThreadId(thread))});
  ThreadState& t = states_[thread];
  t.location = barrier;
  t.round = round;
  t.followed = 0;
  const bool last = machine_.barrier_round(operation.object) != round;
  if (last && !others_arrived(thread).empty()) t.half = Half::Leaving;
}

void GraphMachine::perform_leaving(uint32_t thread) {
  ThreadState& t = states_[thread];
  if (++t.followed < others_arrived(thread).size()) return;
  if (t.half == Half::Leaving)
    t.half = Half::None;
  else
    step(thread, std::nullopt);
}

// In the round of the thread, by thread.
std::vector<EventId> GraphMachine::others_arrived(uint32_t thread) const {
  const ThreadState& t = states_[thread];
  std::vector<EventId> others;
  for (const Arrival& arrival : arrivals_)
    if (arrival.barrier == t.location && arrival.round == t.round && arrival.thread != thread)
      others.push_back(arrival.event);
  std::sort(others.begin(), others.end());
  return others;
}

// Whether all arrivals at the object happen before what initialises or destroys it.
bool GraphMachine::arrivals_precede(uint32_t thread, const Operation& operation) {
  if (arrivals_.empty() || (operation.kind != OperationKind::Initialise && operation.kind != OperationKind::Destroy))
    return true;
  const graph::LocationId object = location_of(thread, operation, true);
  return std::all_of(arrivals_.begin(), arrivals_.end(), [&](const Arrival& arrival) {
    return arrival.barrier != object || arrival.thread == thread ||
           machine_.ordered_before(ThreadId(arrival.thread), arrival.count, ThreadId(thread));
  });
}

}  // namespace heddle::explore
