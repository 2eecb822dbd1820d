// Synchronisation objects in execution graphs: locations whose operations are read-modify-writes. Trying in vain is a
// read; a wait for a futex has a read of the word.
#include "server/explore/graph_machine.h"

namespace heddle::explore {

using graph::EventId;
using graph::LocationId;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

namespace {

// What an operation tries, with or without a time; Yield: it tries nothing.
OperationKind tried_by(OperationKind kind) {
  switch (kind) {
    case OperationKind::TryLock:
    case OperationKind::TimedLock: return OperationKind::TryLock;
    case OperationKind::TryReadLock:
    case OperationKind::TimedReadLock: return OperationKind::TryReadLock;
    case OperationKind::TryWriteLock:
    case OperationKind::TimedWriteLock: return OperationKind::TryWriteLock;
    case OperationKind::SemaphoreTryWait:
    case OperationKind::SemaphoreTimedWait: return OperationKind::SemaphoreTryWait;
    default: return OperationKind::Yield;
  }
}

// Of the value that a state of an object has: does it refuse those who try?
constexpr uint32_t refusal_bit(OperationKind tried) { return 32 + static_cast<uint32_t>(tried) % 32; }

}  // namespace

// After a round without effect it waits to try again: a later operation on the object revisits what it reads.
bool GraphMachine::waits_to_try(const Operation& operation) {
  return operation.alternatives == 0 && tried_by(operation.kind) != OperationKind::Yield;
}

// Trying an object fails if another thread holds it, or nothing is left of it, in the state that it finds. It may find
// an older one, and orders nothing then (C17 7.26.4.5, C++20 [thread.mutex.requirements]).
bool GraphMachine::refuses(uint32_t thread, const Operation& operation, LocationId location, EventId from) {
  if (waits_to_try(operation)) return false;
  if (const OperationKind tried = tried_by(operation.kind); tried != OperationKind::TryLock)
    return tried != OperationKind::Yield && (store(location, from).word.value >> refusal_bit(tried) & 1) != 0;
  if (operation.nested) return false;
  if (prepared(location).newest == from) return machine_.lock_owner(operation.object).valid();
  if (joined_.shares(joined_.root(operation.object.bits))) return false;
  const uint64_t owner = store(location, from).word.value;
  return owner != 0 && owner != uint64_t{thread} + 1;
}

void GraphMachine::perform_object(uint32_t thread, const Operation& operation, EventId from, uint32_t outcome,
                                  Store& made) {
  ThreadState& t = states_[thread];
  const LocationId location = location_of(thread, operation, true);
  const bool newest = prepared(location).newest == from;
  if (!arrivals_precede(thread, operation)) order_arrivals(operation.object);
  if (t.half == Half::None && refuses(thread, operation, location, from)) {
    step(thread, newest ? std::nullopt : std::optional<Found>(Found{1}));
  } else if (t.half == Half::None) {
    t.half = (newest && operation.alternatives == 0) || waits_to_try(operation) ? Half::Blocked : Half::Reading;
    t.from = from;
  } else if (operation.kind == OperationKind::FutexWait) {
    compare_word(thread, operation, outcome);
    change(location).newest = EventId::make(thread, t.length - 1);
  } else {
    const EventId id = EventId::make(thread, t.length - 1);
    step(thread, std::nullopt, outcome);
    const ThreadId owner = machine_.lock_owner(operation.object);
    made.word.value = owner.valid() ? uint64_t{owner.value} + 1 : 0;
    for (const OperationKind tried :
         {OperationKind::TryReadLock, OperationKind::TryWriteLock, OperationKind::SemaphoreTryWait})
      made.word.value |= uint64_t{machine_.refuses(operation.object, tried)} << refusal_bit(tried);
    change(location).newest = id;
  }
}

// A wait for a futex is an operation of its queue that supposes an outcome of the comparison, and then a read of the
// word: an event of its own, which may find any store that the model allows, and refutes the outcome if that is
// another.
void GraphMachine::compare_word(uint32_t thread, const Operation& operation, uint32_t outcome) {
  ThreadState& t = states_[thread];
  t.expected = machine_.futex_expected(ThreadId(thread));
  t.sleeps = outcome == 0;
  const LocationId word = location_of(operation, false);
  prepared(word);
  step(thread, Found{t.sleeps ? t.expected : t.expected ^ 1});
  t.half = Half::Comparing;
  t.location = word;
}

// What the C++ library does for a wait on an atomic is taken as right: a waiter that it announces is seen by who stores
// and then looks for waiters, or sees that store. Two fences say so: of who looks, and of who is about to sleep.
bool GraphMachine::fence_precedes(uint32_t thread, const Operation& operation) {
  const bool looks =
      operation.kind == OperationKind::AtomicRead && operation.order == machine::MemoryOrder::SequentiallyConsistent;
  if (states_[thread].fenced || states_[thread].half != Half::None) return false;
  if ((!looks && operation.kind != OperationKind::FutexWait) || !operation.at.function.valid()) return false;
  const program::Function& function = machine_.program().function(operation.at.function);
  return !function.in_project && function.display_name.find("atomic") == std::string::npos;
}

}  // namespace heddle::explore
