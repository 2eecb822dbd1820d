// Faults of the machine as findings.
#include <algorithm>

#include "server/detect/describe.h"

namespace heddle::detect {

using machine::Fault;
using machine::FaultKind;
using machine::FaultPlace;
using machine::Machine;

std::string_view rule_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::DataRace: return "data-race";
    case FaultKind::Assertion: return "assertion";
    case FaultKind::Abort: return "abort";
    case FaultKind::UncaughtException: return "uncaught-exception";
    case FaultKind::OutOfBounds: return "out-of-bounds";
    case FaultKind::UseAfterFree: return "use-after-free";
    case FaultKind::DoubleFree: return "double-free";
    case FaultKind::InvalidFree: return "invalid-free";
    case FaultKind::NullDereference: return "null-dereference";
    case FaultKind::WildPointer: return "wild-pointer";
    case FaultKind::UninitialisedRead: return "uninitialised-read";
    case FaultKind::Leak: return "leak";
    case FaultKind::LockMisuse: return "lock-misuse";
    case FaultKind::ThreadMisuse: return "thread-misuse";
    case FaultKind::ThreadLeak: return "thread-leak";
    case FaultKind::DivisionByZero: return "division-by-zero";
    case FaultKind::Trap: return "trap";
    case FaultKind::StackOverflow: return "stack-overflow";
    case FaultKind::UnknownExternal:
    case FaultKind::Unsupported:
    case FaultKind::InstructionLimit:
    case FaultKind::MemoryLimit:
    case FaultKind::EndlessLoop: return "";
  }
  return "";
}

bool is_limit(FaultKind kind) { return rule_of(kind).empty(); }

namespace {

std::string stable_function(const Machine& machine, program::CodeAddress at) {
  if (!at.function.valid() || at.function.value >= machine.program().function_count()) return "?";
  return machine.program().stable_name(at.function);
}

// Which of the function's instructions of this kind it is: holds over moved lines and changes elsewhere.
std::string ordinal(const Machine& machine, program::CodeAddress at) {
  if (!at.function.valid() || at.function.value >= machine.program().function_count()) return "0";
  const program::Function& function = machine.program().function(at.function);
  if (at.index >= function.code.size()) return "0";
  const program::Opcode op = function.code[at.index].op;
  uint32_t count = 0;
  for (uint32_t n = 0; n < at.index; ++n) count += function.code[n].op == op;
  return std::string(program::opcode_info(op).mnemonic) + std::to_string(count);
}

// Access kinds without size or number: "reads", "writes", "atomically updates".
std::string race_message(const Machine& machine, const Fault& fault) {
  std::string name = fault.size ? machine.name_of(fault.address, fault.size) : fault.subject;
  if (name.empty()) name = fault.subject;
  std::string text = "data race on " + quoted(name);
  if (fault.places.size() < 2) return text;
  const FaultPlace& here = fault.places[0];
  const FaultPlace& there = fault.places[1];
  const std::string first = thread_role(machine, here.thread), second = thread_role(machine, there.thread);
  const std::string other = first == second ? "another " + second : second;
  return text + ": " + first + " " + here.role + " it here while " + other + " " + there.role + " it";
}

}  // namespace

Finding from_fault(const Machine& machine, const Fault& fault, const Schedule& schedule) {
  Finding finding;
  finding.rule = rule_of(fault.kind);
  finding.schedule = schedule;
  finding.message = fault.kind == FaultKind::DataRace ? race_message(machine, fault) : fault.message;
  for (const FaultPlace& place : fault.places) {
    std::string role = place.role;
    if (fault.kind == FaultKind::DataRace && !fault.subject.empty()) {
      role += " " + quoted(fault.size ? machine.name_of(fault.address, fault.size) : fault.subject);
    }
    finding.places.push_back(place_of(machine, place.at, place.thread, role));
  }

  std::vector<std::string> parts;
  if (fault.kind == FaultKind::DataRace) {
    for (const FaultPlace& place : fault.places) parts.push_back(stable_function(machine, place.at) + ":" + place.role);
    std::sort(parts.begin(), parts.end());
    parts.push_back(fault.subject);
  } else {
    if (!fault.places.empty()) parts.push_back(stable_function(machine, fault.places[0].at));
    parts.push_back(fault.subject);
    if (fault.kind == FaultKind::Assertion) {
      parts.push_back(fault.message);
    } else if (fault.subject.empty() && !fault.places.empty()) {
      parts.push_back(ordinal(machine, fault.places[0].at));
    }
  }
  finding.id = identity(finding.rule, parts);
  return finding;
}

}  // namespace heddle::detect
