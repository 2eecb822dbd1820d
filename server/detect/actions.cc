#include "server/detect/actions.h"

#include <csignal>
#include <cstring>

#include <algorithm>
#include <optional>

#include "server/detect/describe.h"
#include "server/detect/inputs_text.h"
#include "server/library/link_names.h"
#include "server/program/print.h"

namespace heddle::detect {

using machine::Event;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::Pointer;

namespace {

constexpr std::string_view kGuardOf = "the initialisation of ";  // what the guard of a static local is called

// What the address is of; empty: of nothing, so it is a number.
std::string address_text(const Machine& machine, uint64_t bits) {
  const bool address = bits >> 32 != 0 && machine.is_address(Pointer{bits});
  const std::string name = address ? machine.name_of(Pointer{bits}, 1) : "no object";
  if (name == "no object") return "";
  if (library::is_virtual_table(name)) return "a virtual table";
  if (name.starts_with("std::_") || name.starts_with("__")) return "something of the library";
  return (name.find(' ') == std::string::npos ? "&" : "address of ") + name;
}

std::string value_text(const Machine& machine, const Operation& operation, uint64_t bits) {
  const program::Unit* unit = nullptr;
  const program::TypeId type = machine.type_at(operation.object, operation.size, &unit);
  const bool typed = unit != nullptr && type.valid();
  if (operation.size == 8 && (!typed || unit->types[type.value].kind == program::TypeKind::Pointer))
    if (std::string text = address_text(machine, bits); !text.empty()) return text;
  if (typed) return program::print_value(*unit, type, bits, operation.size);
  if (operation.size > 0 && operation.size < 8) {
    const uint32_t shift = 64 - operation.size * 8;
    return std::to_string(static_cast<int64_t>(bits << shift) >> shift);
  }
  return std::to_string(static_cast<int64_t>(bits));
}

// To free a block is, for the others, to write all of it.
bool frees(const Machine& machine, const Operation& operation) {
  return verb_of_call(machine, operation.at) == "frees";
}

bool timed_out(const Event& event) { return event.failed && machine::has_time_limit(event.operation.kind); }

std::string verb_of(OperationKind kind) { return std::string(machine::traits_of(kind).verb); }

// Of what stands for files or for the list of exit handlers, whose values say nothing: the call. Empty: none of these.
std::string process_call_text(const Machine& machine, const Event& event) {
  const OperationKind kind = event.operation.kind;
  if (kind != OperationKind::AtomicRead && kind != OperationKind::AtomicUpdate) return {};
  const std::string object = machine.name_of(event.operation.object, event.operation.size);
  const std::string_view call = library_call(machine, event.operation.at);
  if (object == "the exit handlers")
    return call.empty() || call == "exit" || call == "quick_exit" ? "take the next exit handler"
                                                                  : std::string(call) + "()";
  if (object != "the files") return {};
  return call.empty() ? "use " + object : std::string(call) + "()" + (event.failed ? ": nothing changes" : "");
}

std::string name_of_signal(uint64_t number) {
  if (const char* const known = sigabbrev_np(static_cast<int>(number))) return std::string("SIG") + known;
  return number >= static_cast<uint64_t>(SIGRTMIN)
             ? "SIGRTMIN+" + std::to_string(number - static_cast<uint64_t>(SIGRTMIN))
             : "signal " + std::to_string(number);
}

// Of a signal that a thread sends, or that interrupts one. Empty: neither.
std::string signal_text(const Machine& machine, const Event& event) {
  const Operation& done = event.operation;
  const std::string signal = name_of_signal(event.value_written);
  if (done.kind == OperationKind::TakeSignal) {
    if (event.value_written == 0) return event.value_read != 0 ? "a signal comes soon" : "a signal comes";
    const SourcePlace place = user_place(machine, done.at, event.user, done.thread, "");
    const std::string handler = machine.name_of(Pointer{event.value_read}, 1);
    return signal + " interrupts " + thread_label(machine, done.thread) +
           (place.line == 0 ? "" : " at line " + std::to_string(place.line)) + " and runs " + handler;
  }
  if (done.kind != OperationKind::SemaphorePost || event.value_written == 0) return {};
  const bool to_thread = event.value_read != 0;
  return "send " + signal + " to " +
         (to_thread ? thread_label(machine, machine::ThreadId(static_cast<uint32_t>(event.value_read - 1)))
                    : "the process");
}

constexpr size_t kOriginsNamed = 3;

// From where a read of an older value has it.
struct OlderValue {
  std::vector<const Event*> stores;  // of the path, each of which may be meant
  bool first = false;                // the object had it before the path stored anything there
};

OlderValue origin_of(const Machine& machine, const Event& read) {
  if (read.operation.size > 8) return {};
  OlderValue origin;
  std::optional<uint64_t> first;
  const Event* last = nullptr;
  for (const Event& event : machine.events()) {
    if (&event == &read) break;
    const Operation& done = event.operation;
    if (done.object != read.operation.object || done.size != read.operation.size) continue;
    const bool recorded_twice = last != nullptr && is_same_access(*last, event);
    last = &event;
    if (recorded_twice) continue;
    if (!first) first = event.value_read;
    if (!writes(done.kind) || event.failed) continue;
    if (machine.program().instruction(done.at).op == program::Opcode::Call) return {};  // its value is not recorded
    if (event.value_written != read.value_read) continue;
    origin.stores.push_back(&event);
  }
  origin.first = first.value_or(read.value_read) == read.value_read;
  return origin;
}

std::string older_text(const Machine& machine, const Event& read) {
  const auto [stores, first] = origin_of(machine, read);
  std::vector<std::string> origins;
  if (first) origins.emplace_back("its first value");
  for (const Event* store : stores) {
    const SourcePlace place = user_place(machine, store->operation.at, store->user, store->operation.thread, "");
    const std::string at = place.file.substr(place.file.rfind('/') + 1) + ":" + std::to_string(place.line);
    const std::string text = origins.empty() || origins.back() == "its first value" ? "stored at " + at : at;
    if (std::find(origins.begin(), origins.end(), text) == origins.end()) origins.push_back(text);
  }
  std::string text;
  for (size_t n = 0; n < origins.size() && origins.size() <= kOriginsNamed; ++n)
    text += (n == 0 ? ", " : " or ") + origins[n];
  return text + ", not the value stored last";
}

}  // namespace

std::string kind_text(OperationKind kind) {
  if (const std::string_view step = machine::traits_of(kind).step; !step.empty()) return std::string(step);
  std::string text = verb_of(kind);
  std::replace(text.begin(), text.end(), ' ', '-');
  return text;
}

std::string action_text(const Machine& machine, const Event& event, bool holds_it) {
  const Operation& done = event.operation;
  const auto memory = [&] { return machine.name_of(done.object, done.size); };
  const bool small = done.size > 0 && done.size <= 8;
  if (std::string text = process_call_text(machine, event); !text.empty()) return text;
  if (std::string text = signal_text(machine, event); !text.empty()) return text;
  switch (done.kind) {
    case OperationKind::Read:
    case OperationKind::AtomicRead:
      if (memory().starts_with(kGuardOf))
        return "look at " + memory() + ((event.value_read & 0xff) != 0 ? ": done" : ": not done");
      return "read " + memory() + (small ? " = " + value_text(machine, done, event.value_read) : "") +
             (event.older ? older_text(machine, event) : "");
    case OperationKind::Write:
      if (frees(machine, done)) return "free " + memory();
      return "write " + memory() + (small ? " = " + value_text(machine, done, event.value_written) : "");
    case OperationKind::AtomicWrite:
      return "write " + memory() + (small ? " = " + value_text(machine, done, event.value_written) : "");
    case OperationKind::AtomicUpdate:
      if (!small) return "update " + memory();
      return "update " + memory() + " = " + value_text(machine, done, event.value_written) + " (was " +
             value_text(machine, done, event.value_read) + ")";
    case OperationKind::Fence: return "fence";
    case OperationKind::ThreadExit: return "thread ends";
    case OperationKind::ProcessExit: return "process ends";
    case OperationKind::Sleep: return "sleep";
    case OperationKind::Yield: return "yield";
    case OperationKind::TestCancel: return "cancellation point";
    case OperationKind::DataChoice: return choice_text(machine, event);
    default: break;
  }
  std::string text = verb_of(done.kind) + " " + object_text(machine, done);
  if (timed_out(event)) return text + ": timed out";
  if (done.kind == OperationKind::WriteRequest && event.failed) return "wait to " + text;
  if (machine::is_of_lock(done.kind) && machine::waiting_of(done.kind) == machine::Waiting::Tries)
    text += holds_it ? ": got it" : ": busy";
  return text;
}

bool is_same_access(const Event& visible, const Event& plain) {
  const Operation &one = visible.operation, &two = plain.operation;
  return visible.visible && !plain.visible && one.kind == two.kind && one.thread == two.thread && one.at == two.at &&
         one.object == two.object && one.size == two.size;
}

std::optional<size_t> read_from(const Machine& machine, const Event& read) {
  if (!read.older || !reads(read.operation.kind)) return std::nullopt;
  const auto [stores, first] = origin_of(machine, read);
  if (stores.size() != 1 || first) return std::nullopt;
  return static_cast<size_t>(stores.front() - machine.events().data());
}

std::vector<std::string> HeldAlone::after(const Machine& machine, size_t event) {
  for (; known_ <= event; ++known_) {
    const Event& done = machine.events()[known_];
    const Operation& lock = done.operation;
    if (!machine::takes_lock(lock.kind) && !machine::gives_lock(lock.kind)) continue;
    const auto at = std::find(held_.begin(), held_.end(), lock.object);
    if (machine::takes_lock(lock.kind) && !done.failed && at == held_.end()) held_.push_back(lock.object);
    if (machine::gives_lock(lock.kind) && at != held_.end()) held_.erase(at);
  }
  std::vector<std::string> names;
  for (const Pointer lock : held_) names.push_back(machine.name_of(lock, 1));
  return names;
}

std::string futex_text(const FutexCall& call, const Event& event) {
  const OperationKind kind = event.operation.kind;
  const std::string verb = kind == OperationKind::FutexWait     ? "wait "
                           : kind == OperationKind::FutexReturn ? "continue after the wait "
                                                                : "wake others ";
  return verb + call.text + (timed_out(event) ? ": timed out" : "");
}

bool reads(OperationKind kind) {
  return kind == OperationKind::Read || kind == OperationKind::AtomicRead || kind == OperationKind::AtomicUpdate;
}

bool writes(OperationKind kind) {
  return kind == OperationKind::Write || kind == OperationKind::AtomicWrite || kind == OperationKind::AtomicUpdate;
}

void fill_values(const Machine& machine, const Event& event, TraceStep& step) {
  const Operation& done = event.operation;
  if (reads(done.kind) || writes(done.kind)) {
    step.object = machine.name_of(done.object, done.size);
    if (done.size == 0 || done.size > 8 || !process_call_text(machine, event).empty()) return;
    if (reads(done.kind)) step.value_read = value_text(machine, done, event.value_read);
    if (writes(done.kind)) step.value_written = value_text(machine, done, event.value_written);
  } else if (!verb_of(done.kind).empty() && signal_text(machine, event).empty()) {
    step.object = object_text(machine, done);
  }
}

int agreement(const SourcePlace& place, const TraceStep& step) {
  const auto says = [&](std::string_view verb) { return place.role.starts_with(verb); };
  bool kind = true;
  if (says("reads"))
    kind = step.kind == "read" || step.kind == "update";
  else if (says("writes") || says("updates"))
    kind = step.kind == "write" || step.kind == "update";
  else if (says("took"))
    kind = step.kind.find("lock") != std::string::npos && step.kind != "unlock";
  else if (says("waits"))
    kind = step.kind == "wait" || step.kind == "arrive";
  return (kind ? 2 : 0) + (!step.object.empty() && place.role.find(step.object) != std::string::npos ? 1 : 0);
}

bool waits_there(const SourcePlace& place) {
  return place.role.starts_with("waits") || place.role.starts_with("spins") || place.role.starts_with("loops");
}

void name_the_call(std::string& role, const std::string& inside, const std::string& library) {
  const bool own = inside.find("::_") != std::string::npos || inside.starts_with("in __");
  if (!own || !role.ends_with(inside) || library.find("::_") != std::string::npos) return;
  role.resize(role.size() - inside.size());
  role += "in " + library;
}

}  // namespace heddle::detect
