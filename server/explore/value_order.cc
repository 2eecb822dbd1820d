#include "server/explore/value_order.h"

#include <algorithm>
#include <array>

#include "server/explore/thread_set.h"

namespace heddle::explore {

using machine::Event;
using machine::Machine;
using machine::MemoryOrder;
using machine::OperationKind;
using machine::ThreadId;

namespace {

constexpr size_t kEventsMax = 20'000;  // of a path on which this is looked for: it takes a walk back along the path

bool releases(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcquireRelease ||
         order == MemoryOrder::SequentiallyConsistent;
}

bool part_of_an_atomic(const std::string& name) {
  for (const char* part : {"atomic", "use_count", "unique"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

// Does the library do this for itself, rather than on behalf of a project that uses an atomic or asks for a count?
bool for_the_library(const Machine& machine, ThreadId thread) {
  for (const machine::CodeAddress at : machine.call_stack(thread)) {
    if (!at.function.valid()) return false;
    const program::Function& function = machine.program().function(at.function);
    if (function.in_project) return false;
    if (!part_of_an_atomic(function.display_name)) return true;
  }
  return false;
}

// No other thread notices these, or only that bytes have changed which the thread read at the same time.
bool quiet(const Event& event) {
  switch (event.operation.kind) {
    case OperationKind::AtomicRead:
    case OperationKind::FutexWait:
    case OperationKind::FutexReturn:
    case OperationKind::Sleep:
    case OperationKind::Yield: return true;
    case OperationKind::AtomicUpdate: return event.failed || !releases(event.operation.order);
    default: return false;
  }
}

bool reads_memory(OperationKind kind) {
  switch (kind) {
    case OperationKind::Read:
    case OperationKind::Write:  // a call that accesses memory may read it, too
    case OperationKind::AtomicRead:
    case OperationKind::AtomicUpdate:
    case OperationKind::FutexWait: return true;
    default: return false;
  }
}

bool writes_memory(const Event& event) {
  switch (event.operation.kind) {
    case OperationKind::Write:
    case OperationKind::AtomicWrite:
    case OperationKind::AtomicUpdate: return true;
    case OperationKind::OnceLeave: return event.operation.size != 0;
    default: return false;
  }
}

bool overlap(const machine::Operation& a, const machine::Operation& b) {
  const uint64_t a_end = a.object.bits + std::max(a.size, 1u), b_end = b.object.bits + std::max(b.size, 1u);
  return a.object.bits < b_end && b.object.bits < a_end;
}

// An operation that found out what another thread did, without being ordered after it.
bool looked_in_vain(const Event& event) {
  const OperationKind kind = event.operation.kind;
  if (machine::tries(kind) || kind == OperationKind::Join) return event.failed;
  return kind == OperationKind::SemaphoreRead;
}

// Is everything that the event may have read from others ordered before what the thread does next?
bool sources_ordered(const Machine& machine, ThreadId thread, std::span<const Event> events, size_t reader) {
  const Event& read = events[reader];
  if (!reads_memory(read.operation.kind)) return true;
  std::array<uint32_t, kThreadsMax> later{};  // events of each thread after the one that is looked at
  for (size_t n = events.size(); n-- > 0;) {
    const Event& event = events[n];
    if (!event.visible || event.operation.thread.value >= kThreadsMax) continue;
    const ThreadId other = event.operation.thread;
    const uint32_t number = machine.event_count(other) - later[other.value]++;
    if (n >= reader || !writes_memory(event) || !overlap(event.operation, read.operation)) continue;
    if (other != thread && !machine.ordered_before(other, number, thread)) return false;
    // An update passes on what it has read.
    if (event.operation.kind != OperationKind::AtomicUpdate) return true;
  }
  return true;
}

}  // namespace

void ValueOrder::about_to(ThreadId thread) {
  const size_t number = machine_.events().size();
  trusted_.resize(number + 1);
  trusted_[number] = reads_memory(machine_.pending(thread).kind) && for_the_library(machine_, thread);
}

bool ValueOrder::used_unsynchronised_read(ThreadId thread) const {
  const std::span<const Event> events = machine_.events();
  if (events.empty()) return false;
  if (events.size() > kEventsMax) return true;
  if (looked_in_vain(events.back())) return true;
  const bool notable = !quiet(events.back()) || machine_.touched_shared(thread);
  for (size_t n = events.size(); notable && n-- > 0;) {
    const Event& event = events[n];
    if (!event.visible || event.operation.thread != thread) continue;
    if (n + 1 < events.size() && !quiet(event)) return false;
    const bool trusted = n < trusted_.size() && trusted_[n];
    if (!trusted && !sources_ordered(machine_, thread, events, n)) return true;
  }
  return false;
}

}  // namespace heddle::explore
