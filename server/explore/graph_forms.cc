// Which operations have a place in execution graphs, and how each shows there.
#include <algorithm>

#include "server/explore/graph_machine.h"

namespace heddle::explore {

using machine::Operation;
using machine::OperationFamily;
using machine::OperationKind;
using machine::ThreadId;

GraphMachine::Form GraphMachine::form(const Operation& operation) {
  switch (machine::family_of(operation.kind)) {
    case OperationFamily::Memory: return form_of_access(operation);
    case OperationFamily::Mutex:
    case OperationFamily::ReadWriteLock:
    case OperationFamily::Semaphore:
    case OperationFamily::Once:
    case OperationFamily::Futex:
    case OperationFamily::Life: return operation.second.bits == 0 ? Form::Object : Form::Unknown;
    case OperationFamily::Condition: return Form::Object;
    case OperationFamily::Barrier:
      if (joined_.orders_arrivals(operation.object.bits)) return Form::Object;
      return operation.kind == OperationKind::BarrierArrive ? Form::Arrive : Form::Leave;
    case OperationFamily::Thread:
      if (operation.kind != OperationKind::Join) return Form::Other;
      // A size: it only tries.
      return operation.object.bits == machine::kAllOthers || operation.size != 0 ? Form::Unknown : Form::Join;
    case OperationFamily::Data: return Form::Choice;
    case OperationFamily::Cancellation: break;
  }
  return Form::Unknown;
}

GraphMachine::Form GraphMachine::form_of_access(const Operation& operation) {
  if (operation.kind == OperationKind::Fence) return Form::Fence;
  const bool plain = operation.kind == OperationKind::Read || operation.kind == OperationKind::Write;
  if (operation.size > (plain ? 8 : machine::Machine::kWordMost)) return Form::Unknown;
  if (operation.kind == OperationKind::Read) return Form::Load;
  if (operation.kind == OperationKind::Write) return Form::Store;
  if (!machine_.stands_at_atomic(operation.thread))
    return machine_.is_library_state(operation.object) ? Form::Object : Form::Unknown;
  if (operation.kind == OperationKind::AtomicRead && machine_.is_guard(operation.object)) return Form::Guard;
  return operation.kind == OperationKind::AtomicRead    ? Form::Load
         : operation.kind == OperationKind::AtomicWrite ? Form::Store
                                                        : Form::Update;
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
  const bool memory = machine::family_of(operation.kind) == OperationFamily::Memory;
  if (memory && as == Form::Unknown && operation.size > 8)
    return "an access of " + std::to_string(operation.size) + " bytes, which execution graphs leave out";
  if (memory && operation.size > 8 && machine_.is_unknown(operation.object, operation.size))
    return "unknown data in an atomic object of more than 8 bytes, which execution graphs leave out";
  if (as == Form::Unknown || operation.section != machine::AtomicSection::None || heeds_requests(operation))
    return "an operation that has no place in execution graphs";
  if (operation.alternatives > 1 && !operation.compares && as != Form::Object && as != Form::Choice)
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
    if (why.empty() && t.reads_in_row >= kReadsInRowMost + kReadsOnMost)
      why = "a loop that reads one location again and again, and counts its rounds";
  }
  if (why.empty() && is_access(states_[thread].form)) {
    const graph::LocationId location = as_written_last(states_[thread].location);
    if (location != states_[thread].location) change(thread).location = location;
  }
  if (why.empty()) return false;
  reporter_.not_followed(operation, why);
  change(thread).ended = true;
  return true;
}

}  // namespace heddle::explore
