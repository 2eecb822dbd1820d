// Searches of toy programs by executions, and what they saw.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/explore/partial_order.h"
#include "tests/explore/random_toy.h"

namespace heddle::explore::toy {

// What a search saw: outcomes (final states), faults alone, and equivalence classes of complete executions.
struct Seen {
  std::set<std::string> outcomes;
  std::set<std::string> faults;
  std::map<std::string, uint64_t> traces;
  Statistics statistics;
};

inline const std::string kExit = std::to_string(static_cast<int>(Code::Exit)) + "(0,0)";
inline constexpr uint64_t kEventsMax = 60'000;

struct Recorder {
  Toy& system;
  Seen& seen;
  PartialOrderSearch<Toy, Recorder>* search = nullptr;
  const Program& program;

  bool affected = false;          // only the first variable and the first mutex matter
  uint64_t slice = ~uint64_t{0};  // the search stops after so many paths

  bool slice_over() { return seen.statistics.executions + seen.statistics.redundant >= slice; }

  bool relevant(const machine::Operation& operation) {
    using machine::OperationKind;
    if (!affected || operation.kind == OperationKind::ThreadExit || operation.kind == OperationKind::ProcessExit)
      return true;
    return operation.object.object() <= 2 && operation.object.offset() == 0;
  }
  bool stepped(machine::ThreadId) { return seen.statistics.events < kEventsMax; }
  void beyond(Beyond) { FAIL(); }
  void ended(PathEnd how) {
    const std::string state = system.describe();
    if (how == PathEnd::Faulted) {
      seen.faults.insert(state.substr(state.rfind(' ', state.size() - 2)));
    } else {
      seen.outcomes.insert(state);
    }
    seen.traces[canonical()]++;
  }

  // The lexicographically least linearisation of the path's partial order: equal for equivalent executions.
  std::string canonical() {
    struct Done {
      machine::Operation operation;
      uint32_t alternative;
    };
    std::vector<Done> path;
    Toy again(program);
    for (const auto& choice : search->schedule()) {
      path.push_back({again.pending(choice.thread), choice.alternative});
      again.perform(choice.thread, choice.alternative);
    }
    std::vector<bool> used(path.size());
    std::string text;
    for (size_t n = 0; n < path.size(); ++n) {
      size_t best = path.size();
      for (size_t i = 0; i < path.size(); ++i) {
        if (used[i]) continue;
        bool free = true;
        for (size_t j = 0; j < i && free; ++j) free = used[j] || !dependent(path[j].operation, path[i].operation);
        if (free && (best == path.size() || path[i].operation.thread < path[best].operation.thread)) best = i;
      }
      used[best] = true;
      text += std::to_string(path[best].operation.thread.value) + ":" + std::to_string(path[best].alternative) + " ";
    }
    return text;
  }
};

inline bool complete(const Seen& seen) { return seen.statistics.events < kEventsMax; }

inline Seen explore(const Program& program, Reductions reductions, bool affected = false) {
  Seen seen;
  Toy system(program);
  Recorder recorder{system, seen, nullptr, program};
  PartialOrderSearch<Toy, Recorder> search(system, recorder, reductions, seen.statistics);
  recorder.search = &search;
  recorder.affected = affected;
  search.run();
  return seen;
}

inline constexpr Reductions kAll{};
inline constexpr Reductions kNoSleep{.sleep_sets = false};
inline constexpr Reductions kSourceSets{.wakeup_trees = false};
inline constexpr Reductions kNoOrder{.dynamic_partial_order = false};
inline constexpr Reductions kNothing{.dynamic_partial_order = false, .sleep_sets = false};

}  // namespace heddle::explore::toy
