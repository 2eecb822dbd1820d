// States in which nothing can continue, and cycles of locks while something still can.
//
// The blocked threads form a graph: a thread waits for all who hold the lock it wants, or for the thread it joins. A
// cycle is a deadlock. So is one in which a thread waits for a signal (a post, a write) that another blocked thread
// would still give: what holds that one back is the cause. Without a cycle, the threads that wait for no thread are the
// cause: for a condition variable that is never signalled any more (lost-signal), in a spin loop on a value that none
// will write (livelock), for a semaphore, a barrier or a lock of a thread that has ended (deadlock).
#include <algorithm>

#include "server/detect/cycles.h"
#include "server/detect/describe.h"
#include "server/detect/library_waits.h"
#include "server/detect/lock_wrappers.h"
#include "server/detect/lost_signal.h"
#include "server/detect/remaining.h"
#include "server/detect/signal_handlers.h"

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
  std::vector<ThreadId> holders;  // which hold it up; none: no thread in particular
  ThreadId waits_for;             // the holder that is named
  Pointer lock;                   // the lock wanted, if it is one
  bool owner_ended = false;
  std::vector<uint32_t> helpers;  // other waiters that would end the wait if they continued; if no thread holds it up
};

// A step of a cycle: the waiter, and whether the next one is a helper.
struct Link {
  uint32_t waiter = 0;
  bool helped = false;
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

  // The first cycle of holders; empty if there is none.
  std::vector<Link> first_cycle() {
    const auto cycles = all_cycles(machine_.thread_count(), [&](ThreadId thread) {
      const int at = index_of(thread);
      return at < 0 ? std::vector<ThreadId>() : waiters_[static_cast<size_t>(at)].holders;
    });
    return cycles.empty() ? std::vector<Link>() : links(cycles.front());
  }

  // Each waiter of the cycle names the next one from now on.
  std::vector<Link> links(const Cycle& cycle) {
    std::vector<Link> result;
    for (size_t n = 0; n < cycle.size(); ++n) {
      const auto at = static_cast<uint32_t>(index_of(cycle[n]));
      name(waiters_[at], cycle[(n + 1) % cycle.size()]);
      result.push_back({at, false});
    }
    return result;
  }

  // The first cycle through signals that would still come. Some thread in it waits for a lock: threads that wait for
  // each other's signals and ends alone have lost a signal.
  std::vector<Link> cycle_through_helpers() {
    for (Waiter& waiter : waiters_)
      if (waiter.holders.empty()) find_helpers(waiter);
    for (uint32_t begin = 0; begin < waiters_.size(); ++begin) {
      std::vector<Link> path;
      std::vector<bool> seen(waiters_.size());
      if (!search(begin, begin, path, seen)) continue;
      for (size_t n = 0; n < path.size(); ++n)
        if (!path[n].helped) name(waiters_[path[n].waiter], waiters_[path[(n + 1) % path.size()].waiter].thread);
      return path;
    }
    return {};
  }

  // The newest event of the thread that took the lock; null if there is none.
  const Event* taken(ThreadId thread, Pointer lock) const {
    const auto& events = machine_.events();
    for (size_t n = events.size(); n-- > 0;) {
      const Operation& done = events[n].operation;
      if (done.thread != thread) continue;
      const bool takes = takes_lock(done.kind) && !(done.kind == OperationKind::WriteRequest && events[n].failed);
      if ((takes || done.kind == OperationKind::OnceEnter) && done.object == lock) return &events[n];
      if (done.kind == OperationKind::Wake && done.second == lock) return &events[n];
    }
    return nullptr;
  }

 private:
  int index_of(ThreadId thread) const { return thread.value < index_.size() ? index_[thread.value] : -1; }

  static void name(Waiter& waiter, ThreadId holder) {
    waiter.waits_for = holder;
    waiter.owner_ended = false;
  }

  bool search(uint32_t begin, uint32_t at, std::vector<Link>& path, std::vector<bool>& seen) const {
    if (seen[at]) return false;
    seen[at] = true;
    const Waiter& waiter = waiters_[at];
    const auto follow = [&](uint32_t to, bool helped) {
      path.push_back({at, helped});
      const bool held =
          std::any_of(path.begin(), path.end(), [&](const Link& link) { return waiters_[link.waiter].lock.bits != 0; });
      if ((to == begin && held) || (to != begin && search(begin, to, path, seen))) return true;
      path.pop_back();
      return false;
    };
    for (const ThreadId holder : waiter.holders)
      if (const int held_by = index_of(holder); held_by >= 0 && follow(static_cast<uint32_t>(held_by), false))
        return true;
    return std::any_of(waiter.helpers.begin(), waiter.helpers.end(), [&](uint32_t to) { return follow(to, true); });
  }

  void find_helpers(Waiter& waiter) {
    if (remaining_.empty())
      for (const Waiter& other : waiters_) remaining_.push_back(remaining_interactions(machine_, other.thread));
    for (uint32_t n = 0; n < waiters_.size(); ++n)
      if (&waiters_[n] != &waiter && may_release(machine_, remaining_[n], waiter.operation))
        waiter.helpers.push_back(n);
  }

  Waiter waiter(ThreadId thread) {
    Waiter result;
    result.thread = thread;
    result.operation = machine_.pending(thread);
    const Operation& operation = result.operation;
    if (waits_for_lock(operation.kind)) {
      result.lock = operation.object;
    } else if (machine_.signalled(thread)) {
      result.lock = operation.second;
    } else if (operation.kind == OperationKind::Join) {
      result.holders = {ThreadId(static_cast<uint32_t>(operation.object.bits))};
    } else if (operation.kind == OperationKind::OnceEnter) {
      result.lock = operation.object;
    }
    if (result.lock.bits != 0) result.holders = lock_holders(machine_, result.lock);
    if (result.holders.empty()) return result;
    result.waits_for = named(thread, result.holders);
    result.owner_ended = result.lock.bits != 0 && machine_.status(result.waits_for) == ThreadStatus::Ended;
    return result;
  }

  // Who has ended holds up for ever; of the others any but the waiter itself.
  ThreadId named(ThreadId waiter, const std::vector<ThreadId>& holders) const {
    for (const ThreadId holder : holders)
      if (machine_.status(holder) == ThreadStatus::Ended) return holder;
    return holders.front() == waiter && holders.size() > 1 ? holders[1] : holders.front();
  }

  Machine& machine_;
  std::vector<Waiter> waiters_;
  std::vector<int> index_;                                            // ThreadId -> waiters_; -1: not blocked
  std::vector<std::vector<const analysis::Interaction*>> remaining_;  // per waiter, once asked for
};

std::string lock_text(const Machine& machine, const Waiter& waiter) {
  const std::string_view kind =
      waiter.operation.kind == OperationKind::Wake ? "mutex" : object_kind(waiter.operation.kind);
  return kind_and_name(machine, kind, waiter.lock, 1);
}

std::string descriptor_text(const DescriptorWait& wait) {
  if (wait.made_at.empty()) return "waits in " + wait.function + "() until a descriptor is ready";
  const std::string what = wait.function.starts_with("mq_") ? "queue" : "descriptor";
  return "waits in " + wait.function + "() for the " + what + " made at " + wait.made_at;
}

std::string never_ready(const DescriptorWait& wait) {
  if (wait.made_at.empty()) return ", and no thread that can still run makes one so";
  const bool fills = wait.function == "write" || wait.function == "send" || wait.function == "mq_send";
  return fills ? ", and no thread reads what fills it" : ", and no thread writes to it any more";
}

std::string waiting_text(const Machine& machine, const Waiter& waiter) {
  if (const DescriptorWait wait = descriptor_wait(machine, waiter.thread, waiter.operation); !wait.function.empty())
    return descriptor_text(wait);
  const FutexCall futex = futex_call(machine, waiter.thread, waiter.operation);
  if (sleeps_at_free_semaphore(machine, waiter.thread, waiter.operation))
    return "sleeps in acquire() although " +
           (futex.kind.empty() ? object_text(machine, waiter.operation) : futex.object) +
           " is free (a known bug of this libstdc++: a release() just before the sleep is not noticed)";
  if (!futex.kind.empty()) return "waits " + futex.text;
  if (waiter.operation.spinning) return "spins until " + object_text(machine, waiter.operation) + " changes";
  if (waiter.lock.bits != 0) {
    const bool once = waiter.operation.kind == OperationKind::OnceEnter;
    std::string text = "waits for " + lock_text(machine, waiter);
    // Other readers alone keep no reader out.
    const bool writer_first =
        waiter.operation.kind == OperationKind::ReadLock && !machine.lock_owner(waiter.lock).valid();
    const std::string end = writer_first ? " while a writer waits" : "";
    if (waiter.waits_for == waiter.thread)
      return text + (once ? ", which it runs itself" : ", which it holds itself") + end;
    if (waiter.waits_for.valid())
      text += (once ? " that is run by " : " held by ") + machine.thread_name(waiter.waits_for);
    if (waiter.owner_ended) text += ", which has ended";
    text += end;
    return text;
  }
  if (waiter.operation.kind == OperationKind::Join) {
    return "waits for " + object_text(machine, waiter.operation) + " to end";
  }
  return "waits for " + object_text(machine, waiter.operation);
}

// What a helper would do for the waiter.
std::string help_text(const Machine& machine, const Waiter& waiter) {
  if (const FutexCall futex = futex_call(machine, waiter.thread, waiter.operation); !futex.kind.empty()) {
    if (futex.kind == "std::barrier") return "would arrive at";
    if (futex.kind == "std::latch") return "would count down";
    if (futex.kind == "std::counting_semaphore") return "would release";
  }
  if (waiter.operation.spinning) return "would change";
  switch (waiter.operation.kind) {
    case OperationKind::Wake: return "would signal";
    case OperationKind::SemaphoreWait: return "would post";
    case OperationKind::BarrierLeave: return "would arrive at";
    default: return "would change";
  }
}

// What makes the finding the same one in another schedule or version. The calls of one wrapper are different ones. A
// signal that is lost is lost for every waiter.
std::string part(const Machine& machine, const Waiter& waiter, bool lost) {
  const bool thread = waiter.operation.kind == OperationKind::Join;
  const Pointer object = waiter.lock.bits != 0 ? waiter.lock : waiter.operation.object;
  if (lost) return stable_object(machine, object);
  if (const DescriptorWait wait = descriptor_wait(machine, waiter.thread, waiter.operation); !wait.function.empty())
    return stable_function(machine, wait.by) + ":" + wait.function;
  if (const FutexCall futex = futex_call(machine, waiter.thread, waiter.operation); !futex.kind.empty())
    return stable_function(machine, futex.by) + ":" + futex.text;
  program::CodeAddress at = waiter.operation.at;
  if (waits_for_lock(waiter.operation.kind))
    if (const LockCall call = lock_call(machine, waiter.thread, at); call.user.function.valid()) at = call.user;
  return stable_function(machine, at) + ":" + (thread ? "join" : stable_object(machine, object));
}

SourcePlace waiting_place(const Machine& machine, const Waiter& waiter) {
  const DescriptorWait wait = descriptor_wait(machine, waiter.thread, waiter.operation);
  const FutexCall futex = futex_call(machine, waiter.thread, waiter.operation);
  const program::CodeAddress at = !futex.kind.empty()     ? futex.by
                                  : wait.function.empty() ? waiter.operation.at
                                                          : wait.by;
  if (waits_for_lock(waiter.operation.kind)) {
    const LockCall call = lock_call(machine, waiter.thread, at);
    return user_place(machine, call.inner, call.user, waiter.thread, waiting_text(machine, waiter));
  }
  return user_place(machine, at, project_call(machine, waiter.thread, at), waiter.thread,
                    waiting_text(machine, waiter));
}

void add_places(Finding& finding, const Machine& machine, const Blocked& blocked, const Waiter& waiter) {
  finding.places.push_back(waiting_place(machine, waiter));
  if (waiter.lock.bits == 0 || !waiter.waits_for.valid()) return;
  if (const Event* event = blocked.taken(waiter.waits_for, waiter.lock)) {
    const bool once = waiter.operation.kind == OperationKind::OnceEnter;
    finding.places.push_back(place_of(machine, event->operation.at, waiter.waits_for,
                                      (once ? "entered " : "took ") + lock_text(machine, waiter)));
  }
}

void set_identity(Finding& finding, const Machine& machine, const std::vector<const Waiter*>& decisive) {
  std::vector<std::string> parts;
  for (const Waiter* waiter : decisive) parts.push_back(part(machine, *waiter, finding.rule == "lost-signal"));
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  finding.id = identity(finding.rule, parts);
}

Finding deadlock_of_cycle(const Machine& machine, const Blocked& blocked, const std::vector<Link>& cycle,
                          const Schedule& schedule) {
  Finding finding;
  finding.rule = "deadlock";
  finding.schedule = schedule;
  std::vector<const Waiter*> decisive;
  for (const Link& link : cycle) decisive.push_back(&blocked.waiters()[link.waiter]);
  finding.message = "deadlock: " + machine.thread_name(decisive[0]->thread) + " ";
  for (size_t n = 0; n < decisive.size(); ++n) {
    if (n > 0) finding.message += ", which ";
    finding.message += waiting_text(machine, *decisive[n]);
    if (!cycle[n].helped) continue;
    const Waiter& helper = *decisive[(n + 1) % decisive.size()];
    finding.message += ", which " + machine.thread_name(helper.thread) + " " + help_text(machine, *decisive[n]);
  }
  for (const Waiter* waiter : decisive) add_places(finding, machine, blocked, *waiter);
  set_identity(finding, machine, decisive);
  return finding;
}

void add_rest(Finding& finding, const Machine& machine, const Blocked& blocked,
              const std::vector<const Waiter*>& decisive) {
  for (const Waiter& waiter : blocked.waiters()) {
    if (std::find(decisive.begin(), decisive.end(), &waiter) != decisive.end()) continue;
    finding.places.push_back(waiting_place(machine, waiter));
  }
}

// Threads that no other one blocks could help, if there are any: they hold the others up.
std::vector<const Waiter*> roots(std::vector<const Waiter*> waiters) {
  const auto helped = [](const Waiter* waiter) { return !waiter->helpers.empty(); };
  if (std::all_of(waiters.begin(), waiters.end(), helped)) return waiters;
  waiters.erase(std::remove_if(waiters.begin(), waiters.end(), helped), waiters.end());
  return waiters;
}

// Without a cycle the cause lies with those that wait for no blocked thread.
Finding without_cycle(const Machine& machine, const Blocked& blocked) {
  std::vector<const Waiter*> ended, conditions, descriptors, others, spinning, free;
  for (const Waiter& waiter : blocked.waiters()) {
    if (waiter.owner_ended)
      ended.push_back(&waiter);
    else if (!waiter.waits_for.valid())
      free.push_back(&waiter);
  }
  for (const Waiter* waiter : roots(free)) {
    if (!descriptor_wait(machine, waiter->thread, waiter->operation).function.empty())
      descriptors.push_back(waiter);
    else if (waiter->operation.spinning)
      spinning.push_back(waiter);
    else if (waiter->operation.kind == OperationKind::Wake)
      conditions.push_back(waiter);
    else
      others.push_back(waiter);
  }
  Finding finding;
  LostSignal lost;
  std::vector<const Waiter*> decisive;
  finding.rule = "deadlock";
  const auto says = [&](const Waiter& waiter, const std::string& end) {
    finding.message =
        finding.rule + ": " + machine.thread_name(waiter.thread) + " " + waiting_text(machine, waiter) + end;
  };
  if (!ended.empty()) {
    decisive = ended;
    says(*ended[0], "");
  } else if (!conditions.empty()) {
    finding.rule = "lost-signal";
    std::stable_partition(conditions.begin(), conditions.end(), [&](const Waiter* waiter) {
      return missed_signal(machine, waiter->thread, waiter->operation);
    });
    decisive = conditions;
    lost = lost_signal(machine, conditions[0]->thread, conditions[0]->operation);
    finding.message = lost.message;
  } else if (!descriptors.empty()) {
    decisive = descriptors;
    says(*descriptors[0], never_ready(descriptor_wait(machine, descriptors[0]->thread, descriptors[0]->operation)));
  } else if (!others.empty()) {
    decisive = others;
    says(*others[0], ", and no other thread can continue");
  } else if (!spinning.empty()) {
    finding.rule = "livelock";
    decisive = spinning;
    says(*spinning[0], ", and no other thread can continue");
  } else {
    for (const Waiter& waiter : blocked.waiters()) decisive.push_back(&waiter);
    finding.message = "deadlock: no thread can continue";
  }
  for (const Waiter* waiter : decisive) add_places(finding, machine, blocked, *waiter);
  if (lost.place) finding.places.push_back(*lost.place);
  add_rest(finding, machine, blocked, decisive);
  set_identity(finding, machine, decisive);
  return finding;
}

// Did the thread hold the lock itself when it tried to take it, as std::scoped_lock does with one mutex given twice?
bool held_at_try(const Machine& machine, const Operation& wait) {
  const auto& events = machine.events();
  bool tried = false;
  for (size_t n = events.size(); n-- > 0;) {
    const Operation& done = events[n].operation;
    if (done.thread != wait.thread || done.object != wait.object) continue;
    if (!tried) {
      tried = done.kind == OperationKind::TryLock && done.at == wait.at;
      continue;
    }
    return takes_lock(done.kind) && done.kind != OperationKind::TryLock;
  }
  return false;
}

}  // namespace

Finding from_rounds(Machine& machine, const std::vector<Operation>& waits, const Schedule& schedule) {
  Finding finding;
  finding.rule = "livelock";
  finding.schedule = schedule;
  std::vector<std::string> parts, roles;
  for (const Operation& wait : waits) {
    std::string role = "loops for ever";
    if (const std::string object = object_text(machine, wait); !object.empty()) role += " at " + object;
    if (held_at_try(machine, wait)) role += ", which it holds itself";
    roles.push_back(role);
    finding.places.push_back(
        user_place(machine, wait.at, project_call(machine, wait.thread, wait.at), wait.thread, role));
    parts.push_back(stable_function(machine, wait.at) + ":" + stable_object(machine, wait.object));
  }
  finding.message = "livelock: " + thread_label(machine, waits[0].thread) + " " + roles[0] +
                    (waits.size() > 1 ? ", as others do," : ",") + " and nothing that any thread can still do ends it";
  const Blocked blocked(machine);
  for (const Waiter& waiter : blocked.waiters()) {
    const auto same = [&](const Operation& wait) { return wait.thread == waiter.thread; };
    if (std::none_of(waits.begin(), waits.end(), same)) finding.places.push_back(waiting_place(machine, waiter));
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  finding.id = identity(finding.rule, parts);
  return finding;
}

Finding from_lock_cycle(Machine& machine, const Schedule& schedule, const Cycle& cycle) {
  Blocked blocked(machine);
  const std::vector<Link> links = blocked.links(cycle);
  return deadlock_of_cycle(machine, blocked, links, schedule);
}

std::optional<Operation> wait_for_signal(const Machine& machine, const std::vector<Operation>& waits) {
  if (!machine.handles_signals()) return std::nullopt;
  for (const Operation& wait : waits)
    if (handler_may_release(machine, wait)) return wait;
  return std::nullopt;
}

std::optional<Operation> wait_for_signal(Machine& machine) {
  if (!machine.handles_signals() || !lock_cycles(machine).empty()) return std::nullopt;
  std::vector<Operation> waits;
  const Blocked blocked(machine);
  for (const Waiter& waiter : blocked.waiters()) waits.push_back(waiter.operation);
  return wait_for_signal(machine, waits);
}

std::optional<Finding> from_stuck(Machine& machine, const Schedule& schedule) {
  if (machine.has_set_aside()) return std::nullopt;  // a thread that failed could have gone on
  if (wait_for_signal(machine) || waits_for_clients(machine)) return std::nullopt;
  Blocked blocked(machine);
  if (blocked.waiters().empty()) return std::nullopt;
  const auto of_locks = lock_cycles(machine);
  auto cycle = of_locks.empty() ? blocked.first_cycle() : blocked.links(of_locks.front());
  if (cycle.empty()) cycle = blocked.cycle_through_helpers();
  if (!cycle.empty()) {
    Finding finding = deadlock_of_cycle(machine, blocked, cycle, schedule);
    std::vector<const Waiter*> decisive;
    for (const Link& link : cycle) decisive.push_back(&blocked.waiters()[link.waiter]);
    add_rest(finding, machine, blocked, decisive);
    return finding;
  }
  Finding finding = without_cycle(machine, blocked);
  finding.schedule = schedule;
  return finding;
}

}  // namespace heddle::detect
