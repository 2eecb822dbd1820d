#include "server/detect/cycles.h"

#include <algorithm>

namespace heddle::detect {

using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Pointer;
using machine::ThreadId;
using machine::ThreadStatus;

namespace {

bool has(const std::vector<ThreadId>& threads, ThreadId thread) {
  return std::find(threads.begin(), threads.end(), thread) != threads.end();
}

// Depth first, along paths on which no thread waits for an earlier one or for one beyond the next: only those close to
// cycles of which no thread can be left out.
class Search {
 public:
  Search(ThreadId first, const WaitsFor& waits_for) : waits_for_(waits_for) { visit(first); }

  std::vector<Cycle> cycles;

 private:
  struct Step {
    ThreadId thread;
    std::vector<ThreadId> next;
  };

  void visit(ThreadId thread) {
    std::vector<ThreadId> next = waits_for_(thread);
    for (size_t n = 0; n < path_.size(); ++n) {
      if (n + 1 < path_.size() && has(path_[n].next, thread)) return;
      if (n > 0 && has(next, path_[n].thread)) return;
    }
    if (!path_.empty() && has(next, thread)) return;
    const bool closes = has(next, path_.empty() ? thread : path_.front().thread);
    path_.push_back({thread, std::move(next)});
    if (closes) {
      add();
    } else {
      // By number: the path grows, and its steps may move.
      const size_t at = path_.size() - 1;
      for (size_t n = 0; n < path_[at].next.size(); ++n) visit(path_[at].next[n]);
    }
    path_.pop_back();
  }

  void add() {
    Cycle cycle;
    for (const Step& step : path_) cycle.push_back(step.thread);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    cycles.push_back(std::move(cycle));
  }

  const WaitsFor& waits_for_;
  std::vector<Step> path_;
};

WaitsFor for_locks(Machine& machine) {
  return [&machine](ThreadId thread) {
    std::vector<ThreadId> result;
    if (machine.status(thread) != ThreadStatus::Blocked) return result;
    const Operation& operation = machine.pending(thread);
    if (waits_for_lock(operation.kind)) result = lock_holders(machine, operation.object);
    return result;
  };
}

// This is asked at every step that blocks, and nearly all locks have one owner: on such a path, a thread that does not
// wait or a cycle without `thread` is answer enough (philosophers: 1.4 % of a search's instructions).
bool surely_none(Machine& machine, ThreadId thread) {
  ThreadId at = thread;
  for (uint32_t steps = machine.thread_count(); steps-- > 0;) {
    if (machine.status(at) != ThreadStatus::Blocked) return true;
    const Operation& operation = machine.pending(at);
    if (!waits_for_lock(operation.kind)) return true;
    at = machine.lock_owner(operation.object);
    if (!at.valid() || at == thread) return false;
  }
  return true;
}

}  // namespace

std::vector<ThreadId> lock_holders(const Machine& machine, Pointer lock) {
  if (const ThreadId owner = machine.lock_owner(lock); owner.valid()) return {owner};
  std::vector<ThreadId> result;
  for (uint32_t n = 0; n < machine.thread_count(); ++n) {
    const auto held = machine.locks_held(ThreadId(n));
    if (std::find(held.begin(), held.end(), lock) != held.end()) result.push_back(ThreadId(n));
  }
  return result;
}

std::vector<Cycle> cycles_through(ThreadId thread, const WaitsFor& waits_for) {
  return Search(thread, waits_for).cycles;
}

std::vector<Cycle> all_cycles(uint32_t thread_count, const WaitsFor& waits_for) {
  std::vector<Cycle> result;
  for (uint32_t n = 0; n < thread_count; ++n)
    for (Cycle& cycle : cycles_through(ThreadId(n), waits_for))
      if (cycle.front() == ThreadId(n)) result.push_back(std::move(cycle));
  return result;
}

std::vector<Cycle> lock_cycles_through(Machine& machine, ThreadId thread) {
  if (machine.outcome() != machine::Outcome::Running) return {};  // after a fault nothing is pending any more
  if (surely_none(machine, thread)) return {};
  return cycles_through(thread, for_locks(machine));
}

std::vector<Cycle> lock_cycles(Machine& machine) {
  if (machine.outcome() != machine::Outcome::Running) return {};
  return all_cycles(machine.thread_count(), for_locks(machine));
}

}  // namespace heddle::detect
