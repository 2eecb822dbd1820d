#include "server/analysis/post_dominators.h"

#include <cstddef>

namespace heddle::analysis {
namespace {

void add_edge(FlowGraph& graph, uint32_t from, uint32_t to) {
  graph.successors[from].push_back(to);
  graph.predecessors[to].push_back(from);
}

void mark_what_reaches(const FlowGraph& graph, uint32_t node, std::vector<uint8_t>& seen) {
  std::vector<uint32_t> work{node};
  seen[node] = 1;
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    for (uint32_t p : graph.predecessors[b])
      if (!seen[p]) seen[p] = 1, work.push_back(p);
  }
}

// The nodes that reach the exit, in postorder of the reversed graph.
std::vector<uint32_t> postorder(const FlowGraph& graph) {
  std::vector<uint32_t> order, next(graph.successors.size(), 0), path{graph.exit()};
  std::vector<uint8_t> entered(graph.successors.size(), 0);
  entered[graph.exit()] = 1;
  while (!path.empty()) {
    const uint32_t b = path.back();
    if (next[b] < graph.predecessors[b].size()) {
      const uint32_t p = graph.predecessors[b][next[b]++];
      if (!entered[p]) entered[p] = 1, path.push_back(p);
      continue;
    }
    order.push_back(b);
    path.pop_back();
  }
  return order;
}

}  // namespace

FlowGraph with_exit(const std::vector<std::vector<uint32_t>>& successors, const std::vector<bool>& excluded) {
  const auto count = static_cast<uint32_t>(successors.size());
  FlowGraph graph{std::vector<std::vector<uint32_t>>(count + 1), std::vector<std::vector<uint32_t>>(count + 1)};
  for (uint32_t b = 0; b < count; ++b) {
    if (excluded[b]) continue;
    for (uint32_t s : successors[b]) add_edge(graph, b, s);
    if (successors[b].empty()) add_edge(graph, b, count);
  }
  std::vector<uint8_t> seen(count + 1, 0);
  mark_what_reaches(graph, count, seen);
  for (uint32_t b = count; b-- > 0;)
    if (!excluded[b] && !seen[b]) {
      add_edge(graph, b, count);
      mark_what_reaches(graph, b, seen);
    }
  return graph;
}

std::vector<uint32_t> post_dominators(const FlowGraph& graph) {
  const std::vector<uint32_t> order = postorder(graph);
  std::vector<uint32_t> rank(graph.successors.size(), 0), parent(graph.successors.size(), kNoPostDominator);
  for (uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
  parent[graph.exit()] = graph.exit();
  const auto meet = [&](uint32_t x, uint32_t y) {
    while (x != y) {
      while (rank[x] < rank[y]) x = parent[x];
      while (rank[y] < rank[x]) y = parent[y];
    }
    return x;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = order.size(); k-- > 0;) {
      const uint32_t b = order[k];
      if (b == graph.exit()) continue;
      uint32_t best = kNoPostDominator;
      for (uint32_t s : graph.successors[b])
        if (parent[s] != kNoPostDominator) best = best == kNoPostDominator ? s : meet(best, s);
      if (best != kNoPostDominator && parent[b] != best) parent[b] = best, changed = true;
    }
  }
  return parent;
}

}  // namespace heddle::analysis
