#include "server/machine/state.h"

#include "server/machine/symbolic/unknown_call.h"
#include "server/program/print.h"

namespace heddle::machine {
namespace {

// "calls '_ZN5Cache3getEi', which ..." says it as people do.
std::string with_readable_name(const std::string& message) {
  const size_t begin = message.find('\'') + 1, end = message.find('\'', begin);
  if (end == std::string::npos) return message;
  return message.substr(0, begin) + program::readable_name(message.substr(begin, end - begin)) + message.substr(end);
}

const char* role_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::Assertion: return "assertion fails";
    case FaultKind::Abort: return "aborts";
    case FaultKind::DoubleFree:
    case FaultKind::InvalidFree: return "frees";
    case FaultKind::NullDereference:
    case FaultKind::OutOfBounds:
    case FaultKind::UseAfterFree:
    case FaultKind::WildPointer: return "accesses";
    case FaultKind::UninitialisedRead: return "reads";
    case FaultKind::DivisionByZero: return "divides";
    case FaultKind::Leak: return "exits";
    default: return "here";
  }
}

bool dies_with_thread(const Object& o) {
  return o.kind == ObjectKindHost::ThreadLocal || o.kind == ObjectKindHost::Hidden;
}

std::string bytes(uint64_t count) {
  const auto negative = -static_cast<int64_t>(count);
  if (negative > 0 && negative < 1 << 30) return "a negative number of bytes (-" + std::to_string(negative) + ")";
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

}  // namespace

FaultPlace Machine::State::place_of(const Thread& t, std::string role) const {
  FaultPlace place;
  place.thread = ThreadId(t.id);
  place.role = std::move(role);
  const std::vector<uint32_t> stack = stack_of(t);
  place.at = image_->address(stack.empty() ? current_pc(t) : stack.front());
  for (size_t n = 1; n < stack.size() && n < 64; ++n) place.stack.push_back(image_->address(stack[n]));
  if (const uint32_t user = user_pc(t); user != 0 && image_->address(user) != place.at)
    place.user = image_->address(user);
  return place;
}

// A place in the past. Its calls are known if the thread is still in that function.
FaultPlace Machine::State::place_at(uint32_t pc, uint32_t thread, std::string role, uint32_t user) const {
  FaultPlace place;
  place.at = image_->address(pc);
  place.thread = ThreadId(thread);
  place.role = std::move(role);
  if (user != 0) {
    place.user = image_->address(user);
    return place;
  }
  if (thread >= threads_.limit() || threads_[thread] == nullptr) return place;
  const Thread& t = *threads_[thread];
  if (t.life != Life::Running) return place;
  const std::vector<uint32_t> stack = stack_of(t);
  for (size_t n = 0; n < stack.size(); ++n) {
    if (image_->address(stack[n]).function != place.at.function) continue;
    for (size_t k = n + 1; k < stack.size() && k < n + 64; ++k) place.stack.push_back(image_->address(stack[k]));
    break;
  }
  return place;
}

// In the thread that created it.
FaultPlace Machine::State::place_of_creation(const Thread& t, std::string role) const {
  FaultPlace place = place_at(t.created_at, t.parent, std::move(role));
  for (const Event& event : events_.all())
    if (event.operation.kind == OperationKind::Create && event.operation.object.bits == t.id) place.user = event.user;
  return place;
}

void Machine::State::add_object_places(Fault& fault, Pointer at) const {
  const Object& o = *memory_.find(at.bits);
  if (dies_with_thread(o) && (o.flags & kReturned))
    fault.places.push_back(place_at(o.ended_at, o.ended_by, "ended here"));
  if (o.kind != ObjectKindHost::Heap && o.kind != ObjectKindHost::Stack) return;
  const HeapSites::Sites sites = o.kind == ObjectKindHost::Heap ? heap_sites_.of(at.object()) : HeapSites::Sites{};
  // The thread is the subject of each: "main declared 'local' here".
  const std::string described = describe_object(Pointer::make(at.object(), 0));  // "'local' (4 bytes)"
  const std::string name = o.kind == ObjectKindHost::Heap ? "it" : described.substr(0, described.rfind(" ("));
  if (o.flags & (kFreed | kScopeEnded | kReturned)) {
    const std::string role = o.flags & kFreed      ? "freed it here"
                             : o.flags & kReturned ? "returned from the function of " + name + " here"
                                                   : "left the scope of " + name + " here";
    fault.places.push_back(place_at(o.ended_at, o.ended_by, role, sites.ended));
  }
  const std::string made = (o.kind == ObjectKindHost::Heap ? "allocated " : "declared ") + name + " here";
  fault.places.push_back(place_at(o.made_at, o.made_by, made, sites.made));
}

bool Machine::State::fault_unknown(Thread& t, const char* does, uint32_t external) {
  const std::string& name = image_->program->externals()[external].name;
  // Our texts of the library say so what they do not follow, in words (server/frontend/support).
  if (in_library(t.pc) && name.find(' ') != name.npos) return fault(t, FaultKind::Unsupported, name);
  std::string why = " and Heddle does not know";
  if (std::string_view(does) == "calls" && !machine::unknown_policy(options_.unknown_calls, name).values.empty())
    why = ": of the values under `unknown-externals` none fits its result of " +
          std::to_string(image_->program->instruction(image_->address(t.pc)).width) + " bits";
  if (std::string_view(does) == "calls" && !machine::unknown_policy(options_.unknown_calls, name).fills.empty())
    why = ": `fills` under `unknown-externals` names an argument that this call does not have";
  return fault(t, FaultKind::UnknownExternal,
               std::string(does) + " '" + name + "', which the project does not define" + why);
}

// Where a function of the program has to stand: one that nothing defines, or one of the library.
bool Machine::State::fault_not_ours(Thread& t, const char* does, const Callee& callee, const char* of_library) {
  if (callee.kind == Callee::Kind::Unknown) return fault_unknown(t, does, callee.index);
  return fault(t, FaultKind::Unsupported, of_library);
}

bool Machine::State::fault(Thread& t, FaultKind kind, std::string message, Pointer at, uint32_t size) {
  Fault fault;
  fault.kind = kind;
  fault.thread = ThreadId(t.id);
  fault.message = kind == FaultKind::UnknownExternal ? with_readable_name(message) : std::move(message);
  fault.address = at;
  fault.size = size;
  fault.places.push_back(place_of(t, role_of(kind)));
  // Beyond its last function, where destructors of keys run, it stands nowhere.
  if (!fault.places[0].at.function.valid() && t.id != 0) {
    fault.places[0] = place_of_creation(t, "ends, created here");
    fault.places[0].thread = ThreadId(t.id);
  }
  if (at.bits != 0) {
    fault.subject = subject_of(at, size);
    add_object_places(fault, at);
  }
  faults_.push_back(std::move(fault));
  fault_raised_ = true;
  root_.outcome = Outcome::Faulted;
  return false;
}

bool Machine::State::bad_access(Thread& t, Pointer at, uint64_t size, const char* verb, bool write) {
  const std::string what = std::string(verb) + " " + bytes(size);
  const auto raise = [&](FaultKind kind, const std::string& message, Pointer object) {
    return fault(t, kind, message, object, static_cast<uint32_t>(size));
  };
  // A negative offset borrows from the object number.
  const int32_t offset = static_cast<int32_t>(at.offset());
  const uint32_t number = at.object() + (offset < 0 ? 1 : 0);
  if (number == 0) {
    if (at.bits < 4096)
      return raise(FaultKind::NullDereference,
                   what + " through a null pointer" + (at.bits == 0 ? "" : " (offset " + std::to_string(at.bits) + ")"),
                   {});
    return raise(FaultKind::WildPointer, what + " at an address that is a plain number", {});
  }
  if (at.object() == 0xffffffffu && offset < 0)
    return raise(FaultKind::NullDereference, what + " through a null pointer (offset " + std::to_string(offset) + ")",
                 {});
  const Pointer start = Pointer::make(number, 0);
  const Object& o = memory_.at(number);
  const std::string name = describe_object(start);
  switch (o.kind) {
    case ObjectKindHost::None: return raise(FaultKind::WildPointer, what + " at an address that no object has", {});
    case ObjectKindHost::Function: return raise(FaultKind::WildPointer, what + " of the code of " + name, start);
    case ObjectKindHost::External:
      if (o.full_size == 0) return raise(FaultKind::WildPointer, what + " of " + name, start);
      break;
    default: break;
  }
  if (o.flags & kFreed) return raise(FaultKind::UseAfterFree, what + " of " + name + " after it was freed", start);
  if (o.flags & kReturned)
    return raise(FaultKind::UseAfterFree,
                 what + " of " + name + " after its " + (dies_with_thread(o) ? "thread ended" : "function returned"),
                 start);
  if (o.flags & kScopeEnded)
    return raise(FaultKind::UseAfterFree, what + " of " + name + " after its scope ended", start);
  if (write && o.kind != ObjectKindHost::Heap && offset >= 0 && size <= o.full_size &&
      static_cast<uint64_t>(offset) <= o.full_size - size)
    return raise(FaultKind::OutOfBounds, what + " of " + name + ", which is constant", start);
  if (offset < 0)
    return raise(
        FaultKind::OutOfBounds,
        what + ", " + bytes(static_cast<uint64_t>(-static_cast<int64_t>(offset))) + " before the start of " + name,
        start);
  const bool beyond_contents = o.kind == ObjectKindHost::Heap && o.size < o.full_size;  // see end_contents()
  if (beyond_contents && static_cast<uint64_t>(offset) < o.full_size)
    return raise(FaultKind::OutOfBounds, what + " of " + name + ", beyond the size() of its container", start);
  const uint64_t past = static_cast<uint64_t>(offset) >= o.full_size ? static_cast<uint64_t>(offset) - o.full_size : 0;
  return raise(
      FaultKind::OutOfBounds,
      what +
          (past == 0 ? static_cast<uint64_t>(offset) == o.full_size ? ", just past the end of " : ", across the end of "
                     : ", " + bytes(past) + " past the end of ") +
          name,
      start);
}

// The array may be a part of its object, which then continues after it.
bool Machine::State::writes_past(Thread& t, Pointer array, uint64_t written, uint64_t room) {
  if (memory_.find(array.bits)->size == 0) return bad_access(t, array, written, "writes", true);
  const auto size = static_cast<uint32_t>(room);
  return fault(t, FaultKind::OutOfBounds,
               "writes " + bytes(written) + ", across the end of '" + name_of(array, size) + "' (" + bytes(room) + ")",
               array, size);
}

bool Machine::State::check_initialised(Thread& t, Object& o, Pointer at, uint64_t size) {
  if (memory_.any_initialised(o, at.offset(), size)) return true;
  return fault(t, FaultKind::UninitialisedRead,
               "depends on " + name_of(at, static_cast<uint32_t>(size)) + ", which was never written", at,
               static_cast<uint32_t>(size));
}

}  // namespace heddle::machine
