// The order of seq_cst accesses and fences: the partial SC order psc of RC11.
//
// In:      a graph without a cycle in psc before its last event; rules of Ra or Rc11.
// Out:     whether psc has no cycle.
// Cost:    quadratic in the seq_cst events, and per pair with a fence quadratic in the events around it.
// Owns:    nothing.
// Threads: pure function.
// Fails:   never.
// From:    Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, section 3.3 (psc). Differs: under Ra only fences are seq_cst;
//          SeqCstUpdates says what follows from updates.
#pragma once

#include "server/graph/execution_graph.h"

namespace heddle::graph {

bool seq_cst_acyclic(const ExecutionGraph& graph, Rules rules);

}  // namespace heddle::graph
