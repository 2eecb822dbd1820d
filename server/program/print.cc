#include "server/program/print.h"

#include <cxxabi.h>

#include <cstdlib>

#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "server/library/link_names.h"
#include "server/program/operands.h"

namespace heddle::program {
namespace {

std::string slot(Slot s) { return "%" + std::to_string(s); }

std::string slots(Slot first, uint32_t count) {
  return count == 1 ? slot(first) : slot(first) + ".." + std::to_string(first + count - 1);
}

std::string symbol_name(const Unit& unit, uint32_t id) {
  return id < unit.symbols.size() ? "@" + unit.symbols[id].name : "@?" + std::to_string(id);
}

const char* order_name(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::NotAtomic: return "none";
    case MemoryOrder::Relaxed: return "relaxed";
    case MemoryOrder::Acquire: return "acquire";
    case MemoryOrder::Release: return "release";
    case MemoryOrder::AcquireRelease: return "acq_rel";
    case MemoryOrder::SequentiallyConsistent: return "seq_cst";
  }
  return "?";
}

bool is_atomic(Opcode op) {
  return op == Opcode::AtomicLoad || op == Opcode::AtomicStore || op == Opcode::AtomicUpdate ||
         op == Opcode::CompareExchange || op == Opcode::Fence;
}

std::string flags_text(const Instruction& i) {
  if (is_atomic(i.op)) {
    std::string text = std::string(" ") + order_name(order_of(i));
    if (i.op == Opcode::CompareExchange) text += std::string("/") + order_name(failure_order_of(i));
    if (i.flags & 64)
      text += i.op == Opcode::Fence ? " signal" : i.op == Opcode::AtomicStore ? " ends-sequence" : " weak";
    if (i.flags & kAtomicVolatile) text += " volatile";
    return text;
  }
  return i.flags ? " flags=" + std::to_string(i.flags) : "";
}

std::string call_arguments(const Function& function, const Instruction& i) {
  if (static_cast<size_t>(i.imm) >= function.calls.size()) return "(?" + std::to_string(i.imm) + ")";
  const CallSite& call = function.calls[static_cast<size_t>(i.imm)];
  std::string text = "(";
  for (size_t n = 0; n < call.arguments.size(); ++n) {
    const Argument& argument = call.arguments[n];
    if (n) text += n == call.fixed && call.variadic ? "; " : ", ";
    text += slots(argument.slot, argument.slots);
    if (argument.by_value) text += " byval " + std::to_string(argument.by_value);
  }
  text += std::string(")") + (call.no_return ? " noreturn" : "");
  if (call.unwind != kNoUnwind)
    text += " unwind ->" + std::to_string(call.unwind) + " pad #" + std::to_string(call.landing_pad);
  return text;
}

std::string landing_pad_text(const Unit& unit, const LandingPad& pad) {
  std::string text;
  for (const CatchClause& clause : pad.clauses) {
    text += clause.filter ? " filter(" : " catch(";
    for (size_t n = 0; n < clause.types.size(); ++n)
      text += (n ? ", " : "") + (clause.types[n].valid() ? symbol_name(unit, clause.types[n].value) : "...");
    text += ")";
  }
  return text + (pad.cleanup ? " cleanup" : "") + (pad.terminates ? " terminates" : "");
}

std::string switch_text(const Function& function, const Instruction& i) {
  if (i.b >= function.switches.size()) return "?" + std::to_string(i.b);
  const SwitchTable& table = function.switches[i.b];
  std::string text = "[";
  for (size_t n = 0; n < table.targets.size(); ++n) {
    if (n) text += ", ";
    if (n < table.values.size()) text += std::to_string(table.values[n]) + ": ";
    text += "->" + std::to_string(table.targets[n]);
  }
  text += "]";
  if (i.op == Opcode::Switch) text += " else ->" + std::to_string(table.default_target);
  return text;
}

void add_operand(std::string& text, const Unit& unit, OperandRole role, uint64_t value, uint32_t count) {
  if (role == OperandRole::kNo || role == OperandRole::kDef || role == OperandRole::kDefTwo) return;
  text += text.empty() ? "" : ", ";
  switch (role) {
    case OperandRole::kUse:
    case OperandRole::kUseTwo: text += slots(static_cast<Slot>(value), count); break;
    case OperandRole::kTarget: text += "->" + std::to_string(value); break;
    case OperandRole::kSymbol: text += symbol_name(unit, static_cast<uint32_t>(value)); break;
    case OperandRole::kIndex: text += "#" + std::to_string(value); break;
    default: text += std::to_string(static_cast<int64_t>(value)); break;
  }
}

}  // namespace

std::string print_place(const Unit& unit, PlaceId id) {
  if (!id.valid() || id.value >= unit.places.size()) return "?";
  const Place& place = unit.places[id.value];
  if (!place.file.valid() || place.file.value >= unit.files.size()) return "?";
  return std::filesystem::path(unit.files[place.file.value]).filename().string() + ":" + std::to_string(place.line) +
         ":" + std::to_string(place.column);
}

std::string print(const Unit& unit, const Function& function, const Instruction& i) {
  const OpcodeInfo& info = opcode_info(i.op);
  std::string text;
  const bool known_call = !is_call(i.op) || static_cast<size_t>(i.imm) < function.calls.size();
  if (known_call)
    for_each_definition(function, i, [&](Slot first, uint32_t count) { text += slots(first, count) + " = "; });
  text += info.mnemonic;
  if (i.width && i.op != Opcode::Unsupported && i.op != Opcode::Call) text += "." + std::to_string(i.width);
  text += flags_text(i);
  std::string operands;
  if (is_call(i.op)) {
    operands = (i.op == Opcode::Call ? symbol_name(unit, i.a) : slot(i.a)) + call_arguments(function, i);
  } else if (i.op == Opcode::Switch || i.op == Opcode::IndirectJump) {
    operands = slot(i.a) + ", " + switch_text(function, i);
  } else if (i.op == Opcode::Unsupported) {
    operands = i.b < function.unsupported.size() ? "\"" + function.unsupported[i.b] + "\"" : "?" + std::to_string(i.b);
  } else if (i.op == Opcode::Branch) {
    operands = slot(i.a) + ", ->" + std::to_string(i.dst) + ", ->" + std::to_string(i.b);
  } else if (i.op == Opcode::Return) {
    operands = i.b ? slots(i.a, i.b) : "";
  } else {
    const SlotRanges uses = uses_of(i);
    uint32_t next = 0;
    const auto count = [&](OperandRole role) {
      const bool use = role == OperandRole::kUse || role == OperandRole::kUseTwo;
      return use && next < uses.size ? uses.items[next++].count : 1u;
    };
    if (info.dst == OperandRole::kTarget) add_operand(operands, unit, info.dst, i.dst, 1);
    add_operand(operands, unit, info.a, i.a, count(info.a));
    add_operand(operands, unit, info.b, i.b, count(info.b));
    add_operand(operands, unit, info.imm, static_cast<uint64_t>(i.imm), count(info.imm));
  }
  return operands.empty() ? text : text + " " + operands;
}

std::string print(const Unit& unit, const Function& function) {
  std::string text = "function " + symbol_name(unit, function.symbol.value) +
                     " parameters=" + std::to_string(function.parameter_slots) +
                     " results=" + std::to_string(function.result_slots) +
                     " frame=" + std::to_string(function.frame_slots) + (function.variadic ? " variadic" : "") +
                     (function.in_project ? "" : " system") + "  ; " + print_place(unit, function.place) + "\n";
  for (size_t n = 0; n < function.stack_objects.size(); ++n) {
    const StackObject& object = function.stack_objects[n];
    text += "  object #" + std::to_string(n) + " '" + object.name + "' size=" + std::to_string(object.size) +
            " align=" + std::to_string(object.alignment) + "\n";
  }
  for (size_t n = 0; n < function.landing_pads.size(); ++n)
    text += "  pad #" + std::to_string(n) + landing_pad_text(unit, function.landing_pads[n]) + "\n";
  for (const LocalVariable& local : function.locals)
    text += "  local '" + local.name + "' in " + slot(local.slot) + " [" + std::to_string(local.begin) + ", " +
            std::to_string(local.end) + ")\n";
  for (size_t n = 0; n < function.code.size(); ++n) {
    std::string line = "  " + std::to_string(n) + ": " + print(unit, function, function.code[n]);
    if (n < function.places.size()) {
      line.resize(std::max<size_t>(line.size() + 2, 60), ' ');
      line += "; " + print_place(unit, function.places[n]);
    }
    text += line + "\n";
  }
  return text;
}

std::string print(const Unit& unit) {
  std::string text = "unit " + unit.path + " content=" + unit.content.hex() + "\n";
  for (const Global& global : unit.globals) {
    text += "global " + symbol_name(unit, global.symbol.value) + " size=" + std::to_string(global.size) +
            " align=" + std::to_string(global.alignment) + (global.constant ? " constant" : "") +
            (global.thread_local_storage ? " thread-local" : "") + (global.string_literal ? " string" : "") +
            (global.initialiser.empty() ? " zero" : "") + (global.section.empty() ? "" : " section=" + global.section);
    for (const Relocation& relocation : global.relocations)
      text += " [" + std::to_string(relocation.offset) + "]=" + symbol_name(unit, relocation.symbol.value) + "+" +
              std::to_string(relocation.addend);
    text += "  ; " + print_place(unit, global.place) + "\n";
  }
  for (const Alias& alias : unit.aliases)
    text += "alias " + symbol_name(unit, alias.symbol.value) + " = " + symbol_name(unit, alias.target.value) + "\n";
  for (const Initialiser& initialiser : unit.initialisers)
    text += std::string(initialiser.destructor ? "destructor " : "constructor ") +
            symbol_name(unit, initialiser.function.value) + " priority=" + std::to_string(initialiser.priority) + "\n";
  for (const Function& function : unit.functions) text += print(unit, function);
  return text;
}

namespace {

std::string function_name(const Program& program, FunctionId id) {
  const Function& function = program.function(id);
  if (function.display_name.empty()) return readable_name(program.stable_name(id));
  if (function.display_name.starts_with("_Z")) return readable_name(function.display_name);  // a thunk
  if (function.display_name.find("(anonymous class)") == std::string::npos) return function.display_name;
  const Unit& unit = program.unit(program.unit_of(id));
  const Place& place = unit.place(function.place);
  if (!place.file.valid()) return function.display_name;
  const std::string& path = unit.files[place.file.value];
  return "lambda at " + path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(place.line);
}

// The program's own operator new and delete, and what the compiler adds, are no work of a thread.
bool is_helper(const std::string& link_name) {
  return link_name == "__clang_call_terminate" || library::is_operator_new(link_name) ||
         library::is_operator_delete(link_name);
}

const std::string& link_name(const Program& program, FunctionId id) {
  return program.unit(program.unit_of(id)).symbols[program.function(id).symbol.value].name;
}

// Breadth first over calls, and over addresses that are taken if `named` is set.
FunctionId nearest_in_project(const Program& program, FunctionId entry, bool named) {
  std::vector<FunctionId> reached{entry};
  std::set<FunctionId> seen{entry};
  for (size_t n = 0; n < reached.size(); ++n) {
    const Function& function = program.function(reached[n]);
    if (function.in_project && !is_helper(link_name(program, reached[n]))) return reached[n];
    if (function.in_project) continue;
    for (const Instruction& i : function.code) {
      if (i.op != Opcode::Call && !(named && i.op == Opcode::SymbolAddress)) continue;
      const Binding callee = program.binding(reached[n], SymbolId(i.a));
      if (callee.kind == BindingKind::Function && seen.insert(FunctionId(callee.id)).second)
        reached.push_back(FunctionId(callee.id));
    }
  }
  return {};
}

}  // namespace

FunctionId project_entry(const Program& program, FunctionId entry) {
  const FunctionId called = nearest_in_project(program, entry, false);
  return called.valid() ? called : nearest_in_project(program, entry, true);
}

namespace {

// What a lambda is for, if it does nothing but call one function of the project: "[this] { run(); }". None otherwise.
FunctionId only_callee(const Program& program, FunctionId lambda) {
  FunctionId callee;
  for (const Instruction& i : program.function(lambda).code) {
    if (i.op == Opcode::CallIndirect || i.op == Opcode::Store) return {};
    if (i.op != Opcode::Call) continue;
    const Binding called = program.binding(lambda, SymbolId(i.a));
    if (callee.valid() || called.kind != BindingKind::Function) return {};
    callee = FunctionId(called.id);
  }
  return callee.valid() && program.function(callee).in_project ? callee : FunctionId{};
}

}  // namespace

std::string entry_name(const Program& program, FunctionId entry) {
  if (const FunctionId own = project_entry(program, entry); own.valid()) {
    const std::string name = function_name(program, own);
    const FunctionId callee = name.starts_with("lambda at ") ? only_callee(program, own) : FunctionId{};
    return callee.valid() ? function_name(program, callee) : name;
  }
  // Through a pointer to a function: what the std::thread holds.
  const std::string name = function_name(program, entry);
  constexpr std::string_view kBefore = "_Invoker<std::tuple<", kBehind = ">>>::_M_run";
  const size_t begin = name.find(kBefore);
  if (begin == std::string::npos || !name.ends_with(kBehind)) return name;
  return "std::thread(" + name.substr(begin + kBefore.size(), name.size() - kBehind.size() - begin - kBefore.size()) +
         ")";
}

namespace {

// "guard variable for f()::x": "the initialisation of 'x'".
std::string guard_name(const std::string& demangled) {
  size_t begin = demangled.size();
  for (int depth = 0; begin > 0; --begin) {
    const char before = demangled[begin - 1];
    depth += before == '>' ? 1 : before == '<' ? -1 : 0;
    if (depth == 0 && (before == ':' || before == ' ')) break;
  }
  return "the initialisation of '" + demangled.substr(begin) + "'";
}

}  // namespace

std::string readable_name(const std::string& link_name) {
  if (!link_name.starts_with("_Z")) return link_name;
  int status = 0;
  char* const readable = abi::__cxa_demangle(link_name.c_str(), nullptr, nullptr, &status);
  std::string result = readable ? readable : link_name;
  std::free(readable);
  if (link_name.starts_with("_ZGV")) return guard_name(result);
  constexpr std::pair<std::string_view, std::string_view> kWritten[] = {
      {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"},
      {"std::__cxx11::", "std::"},
      {"[abi:cxx11]", ""}};
  for (const auto& [spelled, written] : kWritten)
    for (size_t at = 0; (at = result.find(spelled, at)) != std::string::npos; at += written.size())
      result.replace(at, spelled.size(), written);
  return result;
}

}  // namespace heddle::program
