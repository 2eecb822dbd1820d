// Which operations have a place in execution graphs, and how each shows there.
#include <algorithm>

#include "server/explore/graph_machine.h"

namespace heddle::explore {

using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

namespace {

constexpr uint32_t kReadsInRowMost = 1000;

}  // namespace

GraphMachine::Form GraphMachine::form(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::Read: return operation.size <= 8 ? Form::Load : Form::Unknown;
    case OperationKind::Write: return operation.size <= 8 ? Form::Store : Form::Unknown;
    case OperationKind::AtomicRead:
    case OperationKind::AtomicWrite:
    case OperationKind::AtomicUpdate:
      if (operation.size > 8 || !machine_.stands_at_instruction(operation.thread)) return Form::Unknown;
      return operation.kind == OperationKind::AtomicRead    ? Form::Load
             : operation.kind == OperationKind::AtomicWrite ? Form::Store
                                                            : Form::Update;
    case OperationKind::Fence: return Form::Fence;
    case OperationKind::Lock:
    case OperationKind::TryLock:
    case OperationKind::TimedLock:
    case OperationKind::Unlock:
    case OperationKind::ReadLock:
    case OperationKind::TryReadLock:
    case OperationKind::TimedReadLock:
    case OperationKind::WriteLock:
    case OperationKind::TryWriteLock:
    case OperationKind::TimedWriteLock:
    case OperationKind::ReadWriteUnlock:
    case OperationKind::Signal:
    case OperationKind::Broadcast:
    case OperationKind::SemaphoreWait:
    case OperationKind::SemaphoreTryWait:
    case OperationKind::SemaphoreTimedWait:
    case OperationKind::SemaphorePost:
    case OperationKind::SemaphoreRead:
    case OperationKind::OnceEnter:
    case OperationKind::OnceLeave:
    case OperationKind::FutexWait:
    case OperationKind::FutexReturn:
    case OperationKind::FutexWake:
    case OperationKind::Initialise:
    case OperationKind::Destroy: return operation.second.bits == 0 ? Form::Object : Form::Unknown;
    case OperationKind::BarrierArrive:
      return joined_.orders_arrivals(operation.object.bits) ? Form::Object : Form::Arrive;
    case OperationKind::BarrierLeave:
      return joined_.orders_arrivals(operation.object.bits) ? Form::Object : Form::Leave;
    case OperationKind::Wait:
    case OperationKind::Wake: return Form::Object;
    case OperationKind::DataChoice: return operation.second.bits == 0 ? Form::Choice : Form::Unknown;
    case OperationKind::Join:  // a size: it only tries
      return operation.object.bits == machine::kAllOthers || operation.size != 0 ? Form::Unknown : Form::Join;
    case OperationKind::Create:
    case OperationKind::Detach:
    case OperationKind::Sleep:
    case OperationKind::ThreadExit:
    case OperationKind::ProcessExit:
    case OperationKind::Yield: return Form::Other;
    default: return Form::Unknown;
  }
}

bool GraphMachine::sizes_differ(const Operation& operation) const {
  const uint64_t begin = operation.object.bits, end = begin + operation.size;
  return std::any_of(locations_.begin(), locations_.end(), [&](const Location& other) {
    return other.size != 0 && other.at.bits < end && begin < other.at.bits + other.size &&
           (other.at.bits != begin || other.size != operation.size);
  });
}

// Why an operation has no place in graphs; empty: it has.
std::string GraphMachine::why_not_followed(Form as, const Operation& operation) const {
  if (operation.kind == OperationKind::DataChoice && as == Form::Unknown)
    return "an unknown value that stands for every one, which execution graphs leave out (`unknown-data: sampled` has "
           "a few)";
  if (as == Form::Unknown || operation.section != machine::AtomicSection::None || operation.cancellable)
    return "an operation that has no place in execution graphs";
  if (operation.alternatives > 1 && as != Form::Object && as != Form::Choice)
    return "an operation with several outcomes, which execution graphs leave out";
  if ((is_access(as) || operation.kind == OperationKind::FutexWait) && sizes_differ(operation))
    return "accesses of different sizes to one address, which execution graphs leave out";
  return "";
}

// Looks at the operation before it has events. True: there are none for it, and the thread ends here.
bool GraphMachine::not_followed(uint32_t thread, const Operation& operation) {
  std::string why;
  if (!states_[thread].looked) {
    const Form as = form(operation);
    why = why_not_followed(as, operation);
    ThreadState& t = change(thread);
    t.looked = true;
    t.form = as;
    if (why.empty() && has_location(as)) t.location = location_of(operation, !is_access(as));
    if (as == Form::Arrive && machine_.uses_result(ThreadId(thread))) order_arrivals(operation.object);
    if (why.empty() && t.reads_in_row >= kReadsInRowMost)
      why = "a loop that reads one location again and again, and counts its rounds";
  }
  const ThreadState& t = states_[thread];
  if (why.empty() && is_access(t.form) && t.location.value < location_states_.size()) {
    const LocationState& location = location_states_[t.location.value];
    if (location.known && location.shown != machine_.value_at(operation.object, operation.size))
      why = "an atomic object that was also written as plain memory, which execution graphs leave out";
  }
  if (why.empty()) return false;
  reporter_.not_followed(operation, why);
  change(thread).ended = true;
  return true;
}

}  // namespace heddle::explore
