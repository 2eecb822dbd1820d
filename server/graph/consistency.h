// Whether a memory model allows a graph, event by event.
//
// In:      a graph that the model allowed before its last event was added; the model.
// Out:     where the next event may read or be stored, and whether the last event keeps the graph consistent.
// Cost:    the threads at a location for the first places, with a binary search. A search through the graph for an
//          event that was not added at the end of the coherence order, under Sc, Tso, and with seq_cst events.
// Owns:    scratch space.
// Threads: the thread that uses it.
// Fails:   never.
// From:    Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Definition 1 (RC11); Alglave, Maranget, Tautschnig 2014, sections
//          4.1 and 4.3 (SC, TSO). C++ to TSO: a seq_cst store is followed by a fence, as compilers do for x86.
//
// An event has no edge to another one when it is added as the last write, or as a read of the last write: then it
// closes no cycle. In the other cases each new cycle leads through the last event.
#pragma once

#include <vector>

#include "server/graph/execution_graph.h"

namespace heddle::graph {

class Consistency {
 public:
  Consistency(const ExecutionGraph& graph, Rules rules) : graph_(graph), rules_(rules), model_(rules.model) {}

  // The last place in the coherence order that the next event of the thread is known to follow. It may read this one
  // and later ones. It may be stored after this one.
  uint32_t place_known(uint32_t thread, LocationId location) const;

  // Whether a write at this place would separate an update from the store that it read.
  bool separates_update(LocationId location, uint32_t place) const;

  // Judges the event added last; the places were chosen by the functions above.
  bool allows_last();

 private:
  bool has_later_write(const Event& event) const;
  bool closes_cycle();
  void follow(EventId id);
  void visit(EventId id);
  void follow_program_order(EventId id);
  bool fences_store(const Event& event) const;

  const ExecutionGraph& graph_;
  Rules rules_;
  MemoryModel model_;
  std::vector<std::vector<bool>> seen_;  // by thread and index
  std::vector<EventId> work_;
  EventId target_;
  bool found_ = false;
};

// The events that race with the one added last: not ordered by happens-before, one of them plain, one a write.
std::vector<EventId> races_of_last(const ExecutionGraph& graph);

}  // namespace heddle::graph
