// States in which nothing can go on, and cycles of locks while something still can.
//
// The blocked threads form a graph: a thread waits for the owner of the lock it wants, or for the thread it joins.
// A cycle is a deadlock. Without one, the threads that wait for nobody are the cause: for a condition variable that
// nobody will signal any more (lost-signal), in a spin loop on a value nobody will write (livelock), for a semaphore,
// a barrier or a lock of a thread that has ended (deadlock).
#include <algorithm>

#include "server/detect/describe.h"

namespace heddle::detect {

using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Pointer;
using machine::ThreadId;
using machine::ThreadStatus;

namespace {

struct Waiter {
  ThreadId thread;
  Operation operation;
  ThreadId waits_for;  // none: for nobody in particular
  Pointer lock;        // the lock wanted, if it is one
  bool owner_ended = false;
};

class Blocked {
 public:
  explicit Blocked(Machine& machine) : machine_(machine) {
    const uint32_t threads = machine.thread_count();
    index_.assign(threads, -1);
    for (uint32_t n = 0; n < threads; ++n) {
      const ThreadId thread(n);
      if (machine.status(thread) == ThreadStatus::Ended || machine.enabled(thread)) continue;
      index_[n] = static_cast<int>(waiters_.size());
      waiters_.push_back(waiter(thread));
    }
  }

  const std::vector<Waiter>& waiters() const { return waiters_; }

  // Threads of the first cycle, beginning with the lowest; empty if there is none.
  std::vector<uint32_t> cycle(bool locks_only) const {
    for (uint32_t begin = 0; begin < waiters_.size(); ++begin) {
      std::vector<uint32_t> path;
      int at = static_cast<int>(begin);
      while (at >= 0 && path.size() <= waiters_.size()) {
        const Waiter& waiter = waiters_[static_cast<size_t>(at)];
        if (locks_only && !waits_for_lock(waiter.operation.kind)) break;
        path.push_back(static_cast<uint32_t>(at));
        at = waiter.waits_for.valid() && waiter.waits_for.value < index_.size() ? index_[waiter.waits_for.value] : -1;
        if (at == static_cast<int>(begin)) return path;
      }
    }
    return {};
  }

  // The newest event of the thread that took the lock; null if there is none.
  const Event* taken(ThreadId thread, Pointer lock) const {
    const auto& events = machine_.events();
    for (size_t n = events.size(); n-- > 0;) {
      const Operation& done = events[n].operation;
      if (done.thread != thread) continue;
      if (takes_lock(done.kind) && done.object == lock) return &events[n];
      if (done.kind == OperationKind::Wake && done.second == lock) return &events[n];
    }
    return nullptr;
  }

  // Was the condition variable signalled before (false) or after (true) the thread began its wait?
  bool signalled(const Waiter& waiter, bool after) const {
    const auto& events = machine_.events();
    bool began = false;
    for (size_t n = events.size(); n-- > 0;) {
      const Operation& done = events[n].operation;
      if (done.thread == waiter.thread && done.kind == OperationKind::Wait) {
        if (after) return false;
        began = true;
      }
      const bool signals = done.kind == OperationKind::Signal || done.kind == OperationKind::Broadcast;
      if (signals && done.object == waiter.operation.object && began != after) return true;
    }
    return false;
  }

 private:
  Waiter waiter(ThreadId thread) {
    Waiter result;
    result.thread = thread;
    result.operation = machine_.pending(thread);
    const Operation& operation = result.operation;
    if (waits_for_lock(operation.kind)) {
      result.lock = operation.object;
    } else if (operation.kind == OperationKind::Wake && signalled(result, true)) {
      result.lock = operation.second;
    } else if (operation.kind == OperationKind::Join) {
      result.waits_for = ThreadId(static_cast<uint32_t>(operation.object.bits));
    }
    if (result.lock.bits != 0) result.waits_for = holder(thread, result.lock);
    if (result.waits_for.valid() && result.lock.bits != 0) {
      result.owner_ended = machine_.status(result.waits_for) == ThreadStatus::Ended;
    }
    return result;
  }

  ThreadId holder(ThreadId thread, Pointer lock) {
    const ThreadId owner = machine_.lock_owner(lock);
    if (owner.valid()) return owner;
    ThreadId self;
    for (uint32_t n = 0; n < machine_.thread_count(); ++n) {
      const auto held = machine_.locks_held(ThreadId(n));
      if (std::find(held.begin(), held.end(), lock) == held.end()) continue;
      if (n != thread.value) return ThreadId(n);
      self = thread;
    }
    return self;
  }

  Machine& machine_;
  std::vector<Waiter> waiters_;
  std::vector<int> index_;  // ThreadId -> waiters_; -1: not blocked
};

std::string lock_text(const Machine& machine, const Waiter& waiter) {
  const std::string_view kind =
      waiter.operation.kind == OperationKind::Wake ? "mutex" : object_kind(waiter.operation.kind);
  return kind_and_name(machine, kind, waiter.lock, 1);
}

std::string waiting_text(const Machine& machine, const Waiter& waiter) {
  if (waiter.operation.spinning) return "spins until " + object_text(machine, waiter.operation) + " changes";
  if (waiter.lock.bits != 0) {
    std::string text = "waits for " + lock_text(machine, waiter);
    if (waiter.waits_for == waiter.thread) return text + ", which it holds itself";
    if (waiter.waits_for.valid()) text += " held by " + machine.thread_name(waiter.waits_for);
    if (waiter.owner_ended) text += ", which has ended";
    return text;
  }
  if (waiter.operation.kind == OperationKind::Join) {
    return "waits for " + object_text(machine, waiter.operation) + " to end";
  }
  return "waits for " + object_text(machine, waiter.operation);
}

std::string stable_function(const Machine& machine, program::CodeAddress at) {
  if (!at.function.valid() || at.function.value >= machine.program().function_count()) return "?";
  return machine.program().stable_name(at.function);
}

// What makes the finding the same one in another schedule or version.
std::string part(const Machine& machine, const Waiter& waiter) {
  const bool thread = waiter.operation.kind == OperationKind::Join;
  const Pointer object = waiter.lock.bits != 0 ? waiter.lock : waiter.operation.object;
  return stable_function(machine, waiter.operation.at) + ":" + (thread ? "join" : machine.name_of(object, 1));
}

void add_places(Finding& finding, const Machine& machine, const Blocked& blocked, const Waiter& waiter) {
  finding.places.push_back(place_of(machine, waiter.operation.at, waiter.thread, waiting_text(machine, waiter)));
  if (waiter.lock.bits == 0 || !waiter.waits_for.valid()) return;
  if (const Event* event = blocked.taken(waiter.waits_for, waiter.lock)) {
    finding.places.push_back(
        place_of(machine, event->operation.at, waiter.waits_for, "took " + lock_text(machine, waiter)));
  }
}

void set_identity(Finding& finding, const Machine& machine, const std::vector<const Waiter*>& decisive) {
  std::vector<std::string> parts;
  for (const Waiter* waiter : decisive) parts.push_back(part(machine, *waiter));
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  finding.id = identity(finding.rule, parts);
}

Finding deadlock_of_cycle(const Machine& machine, const Blocked& blocked, const std::vector<uint32_t>& cycle,
                          const Schedule& schedule) {
  Finding finding;
  finding.rule = "deadlock";
  finding.schedule = schedule;
  std::vector<const Waiter*> decisive;
  for (const uint32_t n : cycle) decisive.push_back(&blocked.waiters()[n]);
  const Waiter& first = *decisive[0];
  finding.message = "deadlock: " + machine.thread_name(first.thread) + " " + waiting_text(machine, first);
  for (size_t n = 1; n < decisive.size(); ++n) {
    finding.message += ", which " + waiting_text(machine, *decisive[n]);
  }
  for (const Waiter* waiter : decisive) add_places(finding, machine, blocked, *waiter);
  set_identity(finding, machine, decisive);
  return finding;
}

void add_rest(Finding& finding, const Machine& machine, const Blocked& blocked,
              const std::vector<const Waiter*>& decisive) {
  for (const Waiter& waiter : blocked.waiters()) {
    if (std::find(decisive.begin(), decisive.end(), &waiter) != decisive.end()) continue;
    finding.places.push_back(place_of(machine, waiter.operation.at, waiter.thread, waiting_text(machine, waiter)));
  }
}

}  // namespace

std::optional<Finding> from_lock_cycle(Machine& machine, const Schedule& schedule) {
  if (machine.outcome() != machine::Outcome::Running) return std::nullopt;  // after a fault nothing is pending any more
  const Blocked blocked(machine);
  const auto cycle = blocked.cycle(true);
  if (cycle.empty()) return std::nullopt;
  return deadlock_of_cycle(machine, blocked, cycle, schedule);
}

std::optional<Finding> from_stuck(Machine& machine, const Schedule& schedule) {
  const Blocked blocked(machine);
  if (blocked.waiters().empty()) return std::nullopt;
  auto cycle = blocked.cycle(true);
  if (cycle.empty()) cycle = blocked.cycle(false);
  if (!cycle.empty()) {
    Finding finding = deadlock_of_cycle(machine, blocked, cycle, schedule);
    std::vector<const Waiter*> decisive;
    for (const uint32_t n : cycle) decisive.push_back(&blocked.waiters()[n]);
    add_rest(finding, machine, blocked, decisive);
    return finding;
  }

  // Without a cycle the cause lies with those that wait for nobody who is blocked.
  std::vector<const Waiter*> ended, conditions, others, spinning;
  for (const Waiter& waiter : blocked.waiters()) {
    if (waiter.owner_ended) {
      ended.push_back(&waiter);
    } else if (waiter.waits_for.valid()) {
      continue;
    } else if (waiter.operation.spinning) {
      spinning.push_back(&waiter);
    } else if (waiter.operation.kind == OperationKind::Wake) {
      conditions.push_back(&waiter);
    } else {
      others.push_back(&waiter);
    }
  }
  Finding finding;
  finding.schedule = schedule;
  std::vector<const Waiter*> decisive;
  if (!ended.empty()) {
    finding.rule = "deadlock";
    decisive = ended;
    finding.message = "deadlock: " + machine.thread_name(ended[0]->thread) + " " + waiting_text(machine, *ended[0]);
  } else if (!conditions.empty()) {
    finding.rule = "lost-signal";
    decisive = conditions;
    const Waiter& waiter = *conditions[0];
    finding.message =
        thread_label(machine, waiter.thread) + " waits for ever on " + object_text(machine, waiter.operation) + ": ";
    if (blocked.signalled(waiter, true)) {
      finding.message += "another waiter got the signal";
    } else if (blocked.signalled(waiter, false)) {
      finding.message += "the signal came before the wait";
    } else {
      finding.message += "nobody signals it";
    }
  } else if (!others.empty()) {
    finding.rule = "deadlock";
    decisive = others;
    finding.message = "deadlock: " + machine.thread_name(others[0]->thread) + " " + waiting_text(machine, *others[0]) +
                      ", and no other thread can go on";
  } else if (!spinning.empty()) {
    finding.rule = "livelock";
    decisive = spinning;
    finding.message = "livelock: " + machine.thread_name(spinning[0]->thread) + " " +
                      waiting_text(machine, *spinning[0]) + ", and no other thread can go on";
  } else {
    finding.rule = "deadlock";
    for (const Waiter& waiter : blocked.waiters()) decisive.push_back(&waiter);
    finding.message = "deadlock: no thread can go on";
  }
  for (const Waiter* waiter : decisive) add_places(finding, machine, blocked, *waiter);
  if (finding.rule == "lost-signal") {
    // Where the signal came too early.
    const auto& events = machine.events();
    for (size_t n = events.size(); n-- > 0;) {
      const Operation& done = events[n].operation;
      const bool signals = done.kind == OperationKind::Signal || done.kind == OperationKind::Broadcast;
      if (!signals || done.object != decisive[0]->operation.object) continue;
      finding.places.push_back(place_of(machine, done.at, done.thread, "signals " + object_text(machine, done)));
      break;
    }
  }
  add_rest(finding, machine, blocked, decisive);
  set_identity(finding, machine, decisive);
  return finding;
}

}  // namespace heddle::detect
