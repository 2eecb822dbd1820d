// Loops that count: for (i = FIRST; i < END; i++) with constants, and the elements of an array that they name.
//
// In:      the control and data flow of a function.
// Out:     a CountedLoop; whether each of its rounds passes an instruction; the local variable that a slot points into.
// Cost:    linear in the loop.
// Owns:    values.
// Threads: as CodeGraph.
// Fails:   never; what is not recognised is none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/analysis/code_graph.h"

namespace heddle::bench {

struct CountedLoop {
  const analysis::CodeGraph::Loop* loop = nullptr;
  int64_t first = 0, end = 0;     // of the counter
  std::vector<uint32_t> counter;  // the definitions of the counter, sorted
  uint32_t branch = 0;            // the only instruction that leaves it
  uint32_t exit = 0, body = 0;    // blocks that follow the branch
};

std::optional<CountedLoop> counted_loop(const analysis::CodeGraph& graph, const analysis::CodeGraph::Loop& loop);
// The innermost loop around the instruction, if it counts and is in no other loop.
std::optional<CountedLoop> only_loop_around(const analysis::CodeGraph& graph, uint32_t index);
bool each_round_passes(const analysis::CodeGraph& graph, const CountedLoop& loop, uint32_t index);

// Bytes of a local variable, which is the result of this allocation.
struct LocalRange {
  uint32_t allocation = 0;
  int64_t begin = 0, end = 0;
  bool overlaps(const LocalRange& other) const {
    return allocation == other.allocation && begin < other.end && other.begin < end;
  }
  bool holds(const LocalRange& other) const {
    return allocation == other.allocation && begin <= other.begin && other.end <= end;
  }
};
// What the slot may point to at the instruction, with `size` bytes from there on. In the loop (may be null) all that it
// points to in the rounds of the loop.
std::optional<LocalRange> local_range(const analysis::CodeGraph& graph, uint32_t index, program::Slot slot,
                                      int64_t size, const CountedLoop* loop, unsigned depth = 8);

}  // namespace heddle::bench
