// Which read a new write may revisit, and what of the graph stays when it does.
//
// In:      a graph; the thread whose next event is the write; a read of the same location.
// Out:     whether the revisit is the one among several that leads to the new graph, and the events that stay.
// Cost:    per deleted event, the accesses to its location.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
// From:    Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Algorithm 1 (IsMaximallyAdded, Deleted).
#pragma once

#include <vector>

#include "server/graph/execution_graph.h"

namespace heddle::graph {

// The read is no cause of the write. It, and each event that goes away, was added in the way that a graph without other
// choices would have added it.
bool may_revisit(const ExecutionGraph& graph, EventId read, uint32_t writer);

// Positions of the events that stay, ascending: those older than the read, and the causes of the write.
std::vector<size_t> kept_by_revisit(const ExecutionGraph& graph, EventId read, uint32_t writer);

}  // namespace heddle::graph
