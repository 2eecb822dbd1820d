// What searches along paths have in common: how long a path may be, how it ends, the alternatives of an operation, and
// whether a path has come back to a state.
//
// In:      a pending operation; the nodes of a path, with `state`, `current` and `singleton`.
// Out:     its outcomes as bits; whether one of the newest nodes has a state.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "server/machine/machine.h"

namespace heddle::explore {

// A path longer than this is taken for endless; it costs about 1 kB a step.
inline constexpr uint32_t kStepsMax = 300'000;
enum class Beyond : uint8_t { Threads, Steps };

enum class PathEnd : uint8_t { Finished, Faulted, Stuck };

// Stopped: by the client. TooLong: a path has more steps than wakeup trees can be kept for.
enum class SearchEnd : uint8_t { Complete, Stopped, Unfinished, TooLong };

// Outcomes of a question about unknown inputs are numbered for good; those that are possible are bits. 0: all are.
inline uint64_t outcomes_of(const machine::Operation& operation) {
  return operation.kind == machine::OperationKind::DataChoice || operation.compares ? operation.second.bits : 0;
}
inline uint32_t following(uint64_t outcomes, uint32_t from) {
  if (outcomes == 0) return from;
  const uint64_t left = from < 64 ? outcomes >> from << from : 0;
  return left == 0 ? ~0u : static_cast<uint32_t>(std::countr_zero(left));
}

// Is it the state of one of the newest nodes?
template <typename Nodes>
bool met_lately(const Nodes& nodes, uint64_t state, size_t newest) {
  const size_t from = nodes.size() - std::min<size_t>(nodes.size(), newest);
  for (size_t n = nodes.size(); n-- > from;)
    if (nodes[n].state == state && !nodes[n].singleton) return true;
  return false;
}

// Has the thread that took the newest steps come back to the state by itself?
template <typename Nodes>
bool thread_cycles(const Nodes& nodes, uint32_t thread, uint64_t state, size_t newest) {
  const size_t from = nodes.size() - std::min<size_t>(nodes.size(), newest);
  for (size_t n = nodes.size(); n-- > from && nodes[n].current == thread;)
    if (nodes[n].state == state && !nodes[n].singleton) return true;
  return false;
}

}  // namespace heddle::explore
