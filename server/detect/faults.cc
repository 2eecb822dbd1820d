// Faults of the machine as findings.
#include <algorithm>

#include "server/detect/describe.h"
#include "server/machine/memory/bit_fields.h"

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
    case FaultKind::NotLinearizable: return "not-linearizable";
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

// How an instruction comes to the address it accesses: "counter", "*(self+8)[]". Holds over changes elsewhere in the
// function.
std::string shape(const program::Program& program, program::FunctionId function, uint32_t index, program::Slot slot,
                  int depth) {
  using program::Opcode;
  using program::OperandRole;
  const auto& code = program.function(function).code;
  if (depth == 0) return "?";
  for (uint32_t n = index; n-- > 0;) {
    const program::Instruction& i = code[n];
    const program::OpcodeInfo& info = program::opcode_info(i.op);
    if (info.dst != OperandRole::kDef || i.dst != slot) continue;
    switch (i.op) {
      case Opcode::Load: return "*(" + shape(program, function, n, i.a, depth - 1) + "+" + std::to_string(i.imm) + ")";
      case Opcode::PointerAdd: return shape(program, function, n, i.a, depth - 1) + "+" + std::to_string(i.imm);
      case Opcode::PointerIndex: return shape(program, function, n, i.a, depth - 1) + "[]";
      default: break;
    }
    if (info.a == OperandRole::kSymbol) {
      const program::Unit& unit = program.unit(program.unit_of(function));
      const std::string name = i.a < unit.symbols.size() ? unit.symbols[i.a].name : "?";
      return name.starts_with(".str") ? "a string literal" : name;  // numbered in the order of the text
    }
    return std::string(info.mnemonic);
  }
  return "p" + std::to_string(slot);
}

// Which of the function's statements of this kind it is: holds over moved lines and changes elsewhere.
std::string ordinal(const Machine& machine, program::CodeAddress at) {
  const program::Program& program = machine.program();
  if (!at.function.valid() || at.function.value >= program.function_count()) return "0";
  const program::Function& function = program.function(at.function);
  if (at.index >= function.code.size()) return "0";
  const auto kind = [&](uint32_t n) {
    const program::Instruction& i = function.code[n];
    const bool access = i.op == program::Opcode::Load || i.op == program::Opcode::Store;
    const std::string name = access ? "access" : std::string(program::opcode_info(i.op).mnemonic);
    if (program::opcode_info(i.op).a != program::OperandRole::kUse) return name;
    return name + " " + shape(program, at.function, n, i.a, 4) + "+" + (access ? std::to_string(i.imm) : "");
  };
  const std::string own = kind(at.index);
  // Accesses on one line count as one statement, other things by their place.
  const auto where = [&](uint32_t n) {
    const program::Place& place = program.place({at.function, n});
    return std::pair(place.line, own.starts_with("access") ? 0 : place.column);
  };
  std::vector<std::pair<uint32_t, uint32_t>> before;
  for (uint32_t n = 0; n < at.index; ++n) {
    const auto other = where(n);
    if (other == where(at.index) || std::find(before.begin(), before.end(), other) != before.end()) continue;
    if (function.code[n].op != function.code[at.index].op && !own.starts_with("access")) continue;
    if (kind(n) == own) before.push_back(other);
  }
  return own + "#" + std::to_string(before.size());
}

// "items[3].size" -> "items[].size": elements of one array are one object of findings.
std::string without_indices(const std::string& name) {
  std::string result;
  bool inside = false;
  for (const char c : name) {
    if (c == ']') inside = false;
    if (!inside) result += c;
    if (c == '[') inside = true;
  }
  return result;
}

// The machine's role of a place in a race ends in the name of the object: what is before it. A call of the library is
// described by what it does.
std::string verb_of(const Machine& machine, const FaultPlace& place, const std::string& name) {
  const std::string_view call = verb_of_call(machine, place.at);
  // sem_getvalue() reads the semaphore, and writes what the race is about.
  if (!call.empty() && !(call == "reads" && place.role.starts_with("writes"))) return std::string(call);
  std::string verb = place.role;
  if (verb.size() > name.size() + 1 && verb.ends_with(name)) verb.resize(verb.size() - name.size() - 1);
  return verb;
}

// "writes" and "writes atomically": "writes it", "writes it atomically".
std::string of_it(std::string verb) {
  constexpr std::string_view kHow = " atomically";
  return verb.insert(verb.ends_with(kHow) ? verb.size() - kHow.size() : verb.size(), " it");
}

std::string race_message(const Machine& machine, const Fault& fault, const std::string& name) {
  std::string text = "data race on " + quoted(name);
  if (fault.places.size() < 2) return text;
  const FaultPlace& here = fault.places[0];
  const FaultPlace& there = fault.places[1];
  const std::string first = thread_role(machine, here.thread), second = thread_role(machine, there.thread);
  const std::string other = first == second ? "another " + second : second;
  const size_t bits = fault.message.find(machine::kBitFields);  // both are of the message, whichever each of them names
  return text + ": " + first + " " + of_it(verb_of(machine, here, name)) + " here while " + other + " " +
         of_it(verb_of(machine, there, name)) + (bits == std::string::npos ? "" : fault.message.substr(bits));
}

// Where the variable at the address is declared: of what a static destructor does to it in library code, with nothing
// of the project on the stack.
std::optional<SourcePlace> declared_place(const Machine& machine, const Fault& fault) {
  const program::Program& program = machine.program();
  const FaultPlace& place = fault.places.front();
  if (fault.address.bits == 0 || machine.facts() == nullptr || place.user.function.valid()) return std::nullopt;
  if (place.at.function.valid() && program.function(place.at.function).in_project) return std::nullopt;
  const analysis::ObjectId part = machine.static_object(fault.address);
  if (!part.valid()) return std::nullopt;
  const auto& objects = machine.facts()->objects;
  const analysis::Object& object = objects[part.value];
  const program::GlobalId id = object.whole.valid() ? objects[object.whole.value].global : object.global;
  if (!id.valid() || !program.global(id).in_project) return std::nullopt;
  const program::Unit& unit = program.unit(program.unit_of(id));
  const program::Place& declared = unit.place(program.global(id).place);
  if (!declared.file.valid()) return std::nullopt;
  SourcePlace result = user_place(machine, place.at, place.at, place.thread, place.role);
  result.file = unit.files[declared.file.value];
  result.line = declared.line;
  result.column = declared.column;
  result.function.clear();
  return result;
}

}  // namespace

Finding from_fault(const Machine& machine, const Fault& fault, const Schedule& schedule) {
  Finding finding;
  finding.rule = rule_of(fault.kind);
  finding.schedule = schedule;
  const bool race = fault.kind == FaultKind::DataRace;
  std::string name = fault.size ? machine.name_of(fault.address, fault.size) : fault.subject;
  if (name.empty()) name = fault.subject;
  finding.message = race ? race_message(machine, fault, name) : fault.message;
  // The C library's assert adds the function, which the place shows anyway.
  if (fault.kind == FaultKind::Assertion) {
    if (const size_t end = finding.message.rfind("' failed in "); end != std::string::npos)
      finding.message.resize(end + 8);
  }
  for (const FaultPlace& place : fault.places) {
    finding.places.push_back(user_place(machine, place.at, place.user, place.thread,
                                        race ? verb_of(machine, place, name) + " " + quoted(name) : place.role));
  }

  if (!race && !fault.places.empty())
    if (auto declared = declared_place(machine, fault)) finding.places.front() = *std::move(declared);

  std::vector<std::string> parts;
  if (race) {
    for (const FaultPlace& place : fault.places) {  // inside the library: the project's calls that led there
      const program::CodeAddress where = place.user.function.valid() ? place.user : place.at;
      parts.push_back(stable_function(machine, where) + " " + ordinal(machine, where));
    }
    std::sort(parts.begin(), parts.end());
  } else if (!fault.places.empty()) {
    // A leak is the same one wherever the process ended.
    const bool leak = fault.kind == FaultKind::Leak || fault.kind == FaultKind::ThreadLeak;
    const FaultPlace& place = leak ? fault.places.back() : fault.places.front();
    const program::CodeAddress where = place.user.function.valid() ? place.user : place.at;
    parts.push_back(stable_function(machine, where));
    // The values of a failed check differ between interleavings.
    const std::string check = finding.message.substr(0, finding.message.find("' fails: "));
    parts.push_back(fault.kind == FaultKind::Assertion ? check : ordinal(machine, where));
  }
  parts.push_back(without_indices(fault.subject));
  finding.id = identity(finding.rule, parts);
  return finding;
}

}  // namespace heddle::detect
