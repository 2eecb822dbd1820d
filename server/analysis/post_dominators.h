// Immediate post-dominators of a flow graph. Internal to this folder.
//
// In:      successors by node; the nodes that do not take part.
// Out:     the graph with a virtual exit as its last node. Nodes without successors lead to it, and so do some nodes of
//          endless loops, so that every node has a post-dominator. By node its immediate post-dominator;
//          kNoPostDominator: the node does not take part.
// Cost:    near linear on flow graphs of programs.
// Owns:    nothing.
// Threads: pure function, callable anywhere.
// Fails:   never.
// From:    Cooper, Harvey, Kennedy 2001.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::analysis {

inline constexpr uint32_t kNoPostDominator = 0xffffffffu;

struct FlowGraph {
  std::vector<std::vector<uint32_t>> successors, predecessors;
  uint32_t exit() const { return static_cast<uint32_t>(successors.size() - 1); }
};

FlowGraph with_exit(const std::vector<std::vector<uint32_t>>& successors, const std::vector<bool>& excluded);
std::vector<uint32_t> post_dominators(const FlowGraph& graph);

}  // namespace heddle::analysis
