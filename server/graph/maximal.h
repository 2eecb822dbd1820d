// Which read a new write may revisit, and what of the graph stays when it does.
//
// In:      a graph; the thread whose next event is the write; a read of the same location.
// Out:     whether the revisit is the one among several that leads to the new graph, and the events that stay.
// Cost:    per deleted event, the accesses to its location.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
// From:    Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Algorithm 1 (IsMaximallyAdded, Deleted). ConDpor,
//          Algorithm 1, for events whose outcome unknown data decides.
#pragma once

#include <functional>
#include <vector>

#include "server/graph/execution_graph.h"

namespace heddle::graph {

// What a revisit's event that goes away could rely on: the events that were there when it was added, and the causes of
// the write.
struct Previous {
  const ExecutionGraph& graph;
  const uint32_t* causes;
  uint32_t stamp;  // of the event
  bool contains(EventId id) const { return graph.at(id).stamp <= stamp || id.index() < causes[id.thread()]; }
};

// Of an event with an outcome other than 0: whether no smaller one is possible, as far as the previous events decide.
using FirstOutcome = std::function<bool(const Event&, const Previous&)>;

// The read is no cause of the write. It, and each event that goes away, was added in the way that a graph without other
// choices would have added it.
bool may_revisit(const ExecutionGraph& graph, EventId read, uint32_t writer, const FirstOutcome& first);

// Positions of the events that stay, ascending: those older than the read, and the causes of the write.
std::vector<size_t> kept_by_revisit(const ExecutionGraph& graph, EventId read, uint32_t writer);

}  // namespace heddle::graph
