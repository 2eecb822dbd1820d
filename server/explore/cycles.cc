#include "server/explore/cycles.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "server/analysis/components.h"

namespace heddle::explore {
namespace {

using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Outcome;
using machine::ThreadId;
using machine::ThreadStatus;

constexpr size_t kStatesMax = 1000, kStatesOfOneMax = 50'000;

// What a user would call the wait of a round comes first.
int rank(const Operation& operation) {
  switch (machine::waiting_of(operation.kind)) {
    case machine::Waiting::EndsWait: return 0;
    case machine::Waiting::Timed: return 1;
    case machine::Waiting::Tries: return 2;
    default: return 3;
  }
}

class Walk {
 public:
  explicit Walk(Machine& machine) : machine_(machine), start_(machine.mark()) {}

  std::optional<NonProgressCycles> run(bool& undecided) {
    const bool closed = visit(0);
    machine_.rewind(start_);
    if (!closed) {
      undecided |= too_many_;
      return std::nullopt;
    }
    NonProgressCycles rounds;
    for (const auto& [state, number] : numbers_) rounds.states.insert(state);
    std::vector<uint32_t> component(successors_.size(), 0);
    uint32_t count = 0;
    analysis::for_each_component(successors_, [&](const std::vector<uint32_t>& members) {
      for (uint32_t n : members) component[n] = count;
      const bool stays = std::all_of(members.begin(), members.end(), [&](uint32_t n) {
        return std::all_of(successors_[n].begin(), successors_[n].end(),
                           [&](uint32_t s) { return component[s] == count; });
      });
      ++count;
      if (stays) rounds.waits.push_back(waits_in(members));
    });
    return rounds;
  }

 private:
  // False: there is a way out, or there are too many states to decide.
  bool visit(size_t depth) {
    uint32_t first = 0;
    for (bool at_first = true;; at_first = false) {
      const auto [entry, fresh] =
          numbers_.try_emplace(cycle_state(machine_), static_cast<uint32_t>(successors_.size()));
      const uint32_t here = entry->second;
      if (at_first)
        first = here;
      else
        successors_[reached_].push_back(here);
      reached_ = first;
      if (!fresh) return true;
      if (numbers_.size() > kStatesMax + of_one_ || depth > kStatesMax) {
        too_many_ = true;
        return false;
      }
      successors_.emplace_back();
      operations_.emplace_back();
      std::vector<ThreadId> enabled;
      for (uint32_t n = 0; n < machine_.thread_count(); ++n)
        if (machine_.enabled(ThreadId(n))) enabled.push_back(ThreadId(n));
      if (enabled.empty()) return false;
      const bool one = enabled.size() == 1 && machine_.pending(enabled[0]).alternatives == 1;
      if (!one || of_one_ == kStatesOfOneMax) {
        const bool closed = visit_all(enabled, here, depth);
        reached_ = first;
        return closed;
      }
      ++of_one_;  // the thread has no choice: there is nothing to come back to
      operations_[here].push_back(machine_.pending(enabled[0]));
      if (machine_.perform(enabled[0], 0) != Outcome::Running) return false;
      reached_ = here;
    }
  }

  bool visit_all(const std::vector<ThreadId>& enabled, uint32_t here, size_t depth) {
    const machine::Mark mark = machine_.mark();
    for (const ThreadId thread : enabled) {
      operations_[here].push_back(machine_.pending(thread));
      for (uint32_t alternative = 0; alternative < machine_.pending(thread).alternatives; ++alternative) {
        if (machine::next_alternative(machine_.pending(thread), alternative) != alternative) continue;
        if (machine_.perform(thread, alternative) != Outcome::Running || !visit(depth + 1)) return false;
        successors_[here].push_back(reached_);
        machine_.rewind(mark);
      }
    }
    return true;
  }

  // Of each thread that acts in these states the operation that says most.
  std::vector<Operation> waits_in(const std::vector<uint32_t>& states) const {
    const auto key = [](const Operation& o) { return std::make_tuple(rank(o), o.at.bits(), o.object.bits); };
    std::map<uint32_t, Operation> waits;
    for (uint32_t n : states)
      for (const Operation& operation : operations_[n]) {
        const auto [entry, fresh] = waits.try_emplace(operation.thread.value, operation);
        if (!fresh && key(operation) < key(entry->second)) entry->second = operation;
      }
    std::vector<Operation> result;
    for (const auto& [thread, operation] : waits) result.push_back(operation);
    return result;
  }

  Machine& machine_;
  const machine::Mark start_;
  std::map<uint64_t, uint32_t> numbers_;  // of states
  std::vector<std::vector<uint32_t>> successors_;
  std::vector<std::vector<Operation>> operations_;  // enabled in the state
  uint32_t reached_ = 0;                            // the state that the last visit entered
  bool too_many_ = false;
  size_t of_one_ = 0;  // states in which one thread can continue, in one way
};

}  // namespace

uint64_t cycle_state(Machine& machine) {
  uint64_t hash = machine.fingerprint(false);
  for (uint32_t n = 0; n < machine.thread_count(); ++n)
    if (machine.enabled(ThreadId(n))) hash += 0x9e3779b97f4a7c15ull << (n & 31) | n;
  return hash;
}

std::optional<NonProgressCycles> non_progress_cycles(Machine& machine, bool& undecided) {
  if (machine.has_set_aside()) return std::nullopt;  // a thread that failed could have gone on
  return Walk(machine).run(undecided);
}

}  // namespace heddle::explore
