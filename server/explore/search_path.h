// What searches along paths have in common: how long a path may be, how it ends, the alternatives of an operation, the
// way back to what was not tried, and whether a path has come back to a state.
//
// In:      a pending operation; the nodes of a path, with `state`, `current`, `singleton`, `left`, `mark` and what
//          take() sets.
// Out:     its outcomes as bits; the choices of a path; whether one of the newest nodes has a state.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "server/detect/finding.h"
#include "server/explore/thread_set.h"
#include "server/machine/machine.h"

namespace heddle::explore {

// A path longer than this is taken for endless; it costs about 1 kB a step.
inline constexpr uint32_t kStepsMax = 300'000;
enum class Beyond : uint8_t { Threads, Steps };

enum class PathEnd : uint8_t { Finished, Faulted, Stuck };

// Stopped: by the client. TooLong: a path has more steps than wakeup trees can be kept for. Sliced: between two paths,
// as the client wished.
enum class SearchEnd : uint8_t { Complete, Stopped, Unfinished, TooLong, Sliced };

// Outcomes of a question about unknown inputs are numbered for good; those that are possible are bits. 0: all are.
inline uint64_t outcomes_of(const machine::Operation& operation) {
  return operation.kind == machine::OperationKind::DataChoice || operation.compares ? operation.second.bits : 0;
}
inline uint32_t following(uint64_t outcomes, uint32_t from) {
  if (outcomes == 0) return from;
  const uint64_t left = from < 64 ? outcomes >> from << from : 0;
  return left == 0 ? ~0u : static_cast<uint32_t>(std::countr_zero(left));
}

// False: the path is too wide or too long, which the client reports.
template <typename Client>
bool within_limits(Client& client, uint32_t threads, size_t steps) {
  if (threads <= kThreadsMax && steps < kStepsMax) return true;
  client.beyond(threads > kThreadsMax ? Beyond::Threads : Beyond::Steps);
  return false;
}

// The thread is what the node does first.
template <typename Node>
void take(Node& node, uint32_t thread, const machine::Operation& operation) {
  node.current = thread;
  node.left.remove(thread);
  node.alternatives = operation.alternatives;
  node.outcomes = outcomes_of(operation);
  node.alternative = following(node.outcomes, 0);
}

// Goes back to the newest node that has something left: an outcome of its operation, or a thread that `choose` takes.
// False: there is none.
template <typename System, typename Nodes, typename Choose>
bool go_back(System& system, Nodes& nodes, const Choose& choose) {
  for (; !nodes.empty(); nodes.pop_back()) {
    auto& node = nodes.back();
    const uint32_t next = following(node.outcomes, node.alternative + 1);
    if (next >= node.alternatives && node.left.empty()) continue;
    system.rewind(node.mark);
    if (next < node.alternatives)
      node.alternative = next;
    else
      choose(node);
    return true;
  }
  return false;
}

template <typename Nodes>
detect::Schedule schedule_of(const Nodes& nodes) {
  detect::Schedule result;
  for (const auto& node : nodes) result.push_back({machine::ThreadId(node.current), node.alternative});
  return result;
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
