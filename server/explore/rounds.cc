#include "server/explore/rounds.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::explore {
namespace {

using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Outcome;
using machine::ThreadId;
using machine::ThreadStatus;

constexpr size_t kStatesMost = 1000;

// What a user would call the wait of a round comes first.
int rank(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::Wake:
    case OperationKind::FutexReturn: return 0;
    case OperationKind::TimedLock:
    case OperationKind::TimedReadLock:
    case OperationKind::TimedWriteLock:
    case OperationKind::SemaphoreTimedWait: return 1;
    case OperationKind::TryLock:
    case OperationKind::TryReadLock:
    case OperationKind::TryWriteLock:
    case OperationKind::SemaphoreTryWait: return 2;
    default: return 3;
  }
}

class Walk {
 public:
  explicit Walk(Machine& machine) : machine_(machine), start_(machine.mark()) {}

  std::optional<Rounds> run() {
    const bool closed = visit(0);
    machine_.rewind(start_);
    if (!closed) return std::nullopt;
    for (const auto& [thread, operation] : waits_)
      if (!ended_.count(thread)) rounds_.waits.push_back(operation);
    if (rounds_.waits.empty()) return std::nullopt;
    return std::move(rounds_);
  }

 private:
  // False: there is a way out, or there are too many states to tell.
  bool visit(size_t depth) {
    if (!rounds_.states.insert(state_of_round(machine_)).second) return true;
    if (rounds_.states.size() > kStatesMost || depth > kStatesMost) return false;
    std::vector<ThreadId> enabled;
    for (uint32_t n = 0; n < machine_.thread_count(); ++n) {
      if (machine_.status(ThreadId(n)) == ThreadStatus::Ended) ended_.insert(n);
      if (machine_.enabled(ThreadId(n))) enabled.push_back(ThreadId(n));
    }
    if (enabled.empty()) return false;
    const machine::Mark mark = machine_.mark();
    for (const ThreadId thread : enabled) {
      note(machine_.pending(thread));
      for (uint32_t alternative = 0; alternative < machine_.pending(thread).alternatives; ++alternative) {
        if (machine_.perform(thread, alternative) != Outcome::Running || !visit(depth + 1)) return false;
        machine_.rewind(mark);
      }
    }
    return true;
  }

  void note(const Operation& operation) {
    const auto key = [](const Operation& o) { return std::make_tuple(rank(o), o.at.bits(), o.object.bits); };
    const auto [entry, fresh] = waits_.try_emplace(operation.thread.value, operation);
    if (!fresh && key(operation) < key(entry->second)) entry->second = operation;
  }

  Machine& machine_;
  const machine::Mark start_;
  Rounds rounds_;
  std::map<uint32_t, Operation> waits_;  // by thread
  std::unordered_set<uint32_t> ended_;   // threads that end somewhere
};

}  // namespace

uint64_t state_of_round(Machine& machine) {
  uint64_t hash = machine.fingerprint(false);
  for (uint32_t n = 0; n < machine.thread_count(); ++n)
    if (machine.enabled(ThreadId(n))) hash += 0x9e3779b97f4a7c15ull << (n & 31) | n;
  return hash;
}

std::optional<Rounds> endless_rounds(Machine& machine) {
  if (machine.has_set_aside()) return std::nullopt;  // a thread that failed could have gone on
  return Walk(machine).run();
}

}  // namespace heddle::explore
