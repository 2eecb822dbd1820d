#include "server/detect/inputs_text.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <set>

#include "server/detect/describe.h"
#include "server/machine/symbolic/unknown_call.h"
#include "server/program/call_result.h"
#include "server/program/print.h"

namespace heddle::detect {
namespace {

// How the result of the call is shown; null: as its instruction says.
const program::LocalVariable* shown_result(const program::Program& program, program::CodeAddress at) {
  if (program.instruction(at).op != program::Opcode::Call) return nullptr;
  return program::described_result(program.function(at.function), at.index);
}

}  // namespace

std::string input_name(const program::Program& program, program::CodeAddress at) {
  const program::Instruction& call = program.instruction(at);
  if (const program::LocalVariable* shown = shown_result(program, at); shown != nullptr && !shown->name.empty())
    return shown->name;
  if (call.op != program::Opcode::Call) return "an unknown function";
  const program::Binding binding = program.binding(at.function, program::SymbolId(call.a));
  if (binding.kind != program::BindingKind::External) return "an unknown function";
  const std::string name = program::readable_name(program.externals()[binding.id].name);
  return name.ends_with(')') ? name : name + "()";
}

namespace {

constexpr size_t kNamedMost = 8;
constexpr std::string_view kReceive = "heddle.receive";

const program::Type* type_in(const program::Unit& unit, program::TypeId id) {
  return id.value < unit.types.size() ? &unit.types[id.value] : nullptr;
}

// Functions named for unsigned types return numbers without sign, also where they are not declared.
bool has_sign(const program::Program& program, program::CodeAddress at, const std::string& name, uint32_t width) {
  using program::TypeKind;
  if (const program::LocalVariable* shown = shown_result(program, at)) {
    const program::Unit& unit = program.unit(program.unit_of(at.function));
    const program::Type* type = type_in(unit, shown->type);
    if (type != nullptr && type->kind == TypeKind::Enumeration) type = type_in(unit, type->element);
    if (type != nullptr) return type->kind == TypeKind::Integer || type->kind == TypeKind::Character;
  }
  constexpr std::string_view kPrefix = "__VERIFIER_nondet_";
  if (width == 1 || (program.instruction(at).flags & program::kCallUnsigned) != 0) return false;
  if (name.compare(0, kPrefix.size(), kPrefix) != 0) return true;
  return name[kPrefix.size()] != 'u' && name.compare(kPrefix.size(), 6, "size_t") != 0;
}

std::string number_text(uint64_t value, uint32_t width, bool with_sign) {
  if (!with_sign || (value >> (width - 1) & 1) == 0) return std::to_string(value);
  const uint64_t extended = width == 64 ? value : value | ~uint64_t{0} << width;
  return std::to_string(static_cast<int64_t>(extended));
}

std::string float_text(uint64_t bits, bool wide) {
  char text[64];
  const auto [end, error] =
      wide ? std::to_chars(text, text + sizeof text, __builtin_bit_cast(double, bits))
           : std::to_chars(text, text + sizeof text, __builtin_bit_cast(float, static_cast<uint32_t>(bits)));
  return error == std::errc() ? std::string(text, end) : "?";
}

// As its type has it: an enumerator, a character, "true".
std::string value_text(const program::Program& program, program::CodeAddress at, const std::string& name,
                       uint64_t value) {
  using program::TypeKind;
  const program::Instruction& call = program.instruction(at);
  if ((call.flags & program::kCallFloat) != 0) return float_text(value, call.width == 64);
  if ((call.flags & program::kCallPointer) != 0 && value == 0) return "null";
  const program::LocalVariable* shown = shown_result(program, at);
  const program::Unit& unit = program.unit(program.unit_of(at.function));
  const program::Type* type = shown == nullptr ? nullptr : type_in(unit, shown->type);
  if (type == nullptr || type->kind == TypeKind::Integer || type->kind == TypeKind::Unsigned)
    return number_text(value, call.width, has_sign(program, at, name, call.width));
  return program::print_value(unit, shown->type, value, (call.width + 7u) / 8);
}

std::string literal(const std::string& text) {
  constexpr std::string_view kNamed = "\n\t\r\"\\", kLetters = "ntr\"\\";
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const size_t at = kNamed.find(c); at != std::string_view::npos)
      result += {'\\', kLetters[at]};
    else if (byte < 0x20 || byte >= 0x7f)
      result += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
    else
      result += c;
  }
  return result + '"';
}

using InputKind = machine::Machine::InputKind;

std::string words_before(InputKind kind) {
  return kind == InputKind::Variable ? "environment variable " : kind == InputKind::File ? "file " : "";
}

Input::Kind kind_of(InputKind kind) {
  switch (kind) {
    case InputKind::Argument: return Input::Kind::Argument;
    case InputKind::Variable: return Input::Kind::Variable;
    case InputKind::StandardInput: return Input::Kind::StandardInput;
    case InputKind::File: return Input::Kind::File;
    case InputKind::Connection: return Input::Kind::Connection;
  }
  return Input::Kind::File;
}

// Of read(), which gives less than there is.
std::string pieces_text(const std::vector<size_t>& pieces) {
  std::string text;
  for (const size_t size : pieces) text += (text.empty() ? " (read in pieces of " : ", ") + std::to_string(size);
  return text.empty() ? "" : text + " and the rest)";
}

std::string float_literal(uint64_t bits, bool wide) {
  double value = 0;
  float narrow = 0;
  std::memcpy(&value, &bits, sizeof value);
  std::memcpy(&narrow, &bits, sizeof narrow);
  char text[64];
  std::snprintf(text, sizeof text, "%a", wide ? value : static_cast<double>(narrow));
  return text;
}

// What an unknown function returned; nothing: the event is no such call.
std::optional<Input> value_of(const machine::Machine& machine, const machine::Event& event) {
  const machine::Operation& operation = event.operation;
  const program::CodeAddress at = operation.at;
  if (operation.kind != machine::OperationKind::DataChoice || operation.second.bits != 0 || !at.function.valid())
    return std::nullopt;
  const program::Program& program = machine.program();
  const program::Instruction& call = program.instruction(at);
  if (call.op != program::Opcode::Call || call.width == 0 || call.width > 64) return std::nullopt;
  const program::Binding binding = program.binding(at.function, program::SymbolId(call.a));
  if (binding.kind != program::BindingKind::External) return std::nullopt;
  if (program.externals()[binding.id].name == kReceive) return std::nullopt;  // bytes of a text
  Input input;
  input.kind = Input::Kind::Value;
  input.name = input_name(program, at);
  input.link_name = program.externals()[binding.id].name;
  input.is_float = (call.flags & program::kCallFloat) != 0;
  input.is_wide = input.is_float && call.width == 64;
  input.text = input.is_float
                   ? float_literal(event.value_read, input.is_wide)
                   : number_text(event.value_read, call.width, has_sign(program, at, input.name, call.width));
  input.shown = value_text(program, at, input.name, event.value_read);
  input.place = place_of(machine, at, operation.thread, "");
  input.thread_number = operation.thread.value;
  return input;
}

}  // namespace

namespace {

// "{3, 0}" of numbers, "\"ab\"" of bytes: without the zeros at the end, if there are several.
std::string shown_memory(const machine::Machine::FilledMemory& filled) {
  const bool of_bytes = std::all_of(filled.parts.begin(), filled.parts.end(), [](uint32_t size) { return size <= 1; });
  if (of_bytes && filled.parts.size() != 1) {
    const size_t end = filled.bytes.find_last_not_of('\0') + 1;
    const size_t zeros = filled.bytes.size() - end;
    if (zeros < 2) return literal(filled.bytes);
    return (end == 0 ? "" : literal(filled.bytes.substr(0, end)) + " and ") + std::to_string(zeros) + " zeros";
  }
  constexpr size_t kNumbersMost = 8;
  std::vector<std::string> numbers;
  size_t at = 0;
  for (const uint32_t size : filled.parts) {
    uint64_t value = 0;
    for (uint32_t k = 0; k < size; ++k) value |= uint64_t{static_cast<unsigned char>(filled.bytes[at + k])} << (8 * k);
    if (size != 0) numbers.push_back(number_text(value, size * 8, true));
    at += std::max(size, 1u);
  }
  std::string text;
  for (size_t n = 0; n < numbers.size() && n < kNumbersMost; ++n) text += (n == 0 ? "" : ", ") + numbers[n];
  if (numbers.size() > kNumbersMost) text += ", ...";
  return filled.parts.size() == 1 ? text : "{" + text + "}";
}

Input memory_of(const machine::Machine& machine, const machine::Machine::FilledMemory& filled) {
  const program::Program& program = machine.program();
  Input input;
  input.kind = Input::Kind::Memory;
  input.name = input_name(program, filled.at);
  const program::Instruction& call = program.instruction(filled.at);
  if (call.op == program::Opcode::Call)
    if (const auto binding = program.binding(filled.at.function, program::SymbolId(call.a));
        binding.kind == program::BindingKind::External)
      input.link_name = program.externals()[binding.id].name;
  input.text = filled.bytes;
  input.shown = shown_memory(filled);
  input.place = place_of(machine, filled.at, filled.thread, "");
  input.thread_number = filled.thread.value;
  input.argument = filled.argument + 1;
  return input;
}

// "read_packet(), argument 1"
std::string name_of_memory(const std::string& function, uint32_t argument) {
  return function + ", argument " + std::to_string(argument);
}

}  // namespace

std::vector<Input> inputs_of(const machine::Machine& machine) {
  constexpr size_t kGivenMost = 4096;  // bytes of one that nothing chooses
  std::vector<Input> all;
  for (const machine::Machine::InputText& input : machine.input_texts()) {
    if (input.given && input.text->size() > kGivenMost) continue;
    Input one;
    one.kind = kind_of(input.kind);
    one.name = input.name;
    one.text = input.text.value_or("");
    one.missing = !input.text;
    one.given = input.given;
    all.push_back(std::move(one));
  }
  for (const machine::Event& event : machine.events())
    if (auto value = value_of(machine, event)) all.push_back(std::move(*value));
  for (const machine::Machine::FilledMemory& filled : machine.filled()) all.push_back(memory_of(machine, filled));
  return all;
}

void add_unknown_functions(const machine::Image& image, const machine::UnknownCalls& calls,
                           std::vector<Input>& inputs) {
  constexpr size_t kMost = 256;
  for (const machine::UnknownExternal& external : machine::unknown_externals(image)) {
    const bool known =
        std::any_of(inputs.begin(), inputs.end(), [&](const Input& input) { return input.link_name == external.name; });
    if (known || inputs.size() >= kMost) continue;
    Input one;
    one.kind = Input::Kind::Function;
    one.name = program::readable_name(external.name);
    one.link_name = external.name;
    one.missing = machine::unknown_call(calls, external.name) == machine::UnknownCall::Stop;
    inputs.push_back(std::move(one));
  }
}

std::string inputs_text(const machine::Machine& machine) {
  std::vector<std::string> all;
  for (const machine::Machine::InputText& input : machine.input_texts())
    if (!input.given)
      all.push_back(words_before(input.kind) + input.name + (input.text ? " = " + literal(*input.text) : " not set") +
                    pieces_text(input.pieces));
  for (const machine::Event& event : machine.events())
    if (const auto value = value_of(machine, event))
      all.push_back(value->name + " = " + value->shown + " (line " + std::to_string(value->place.line) + ")");
  for (const machine::Machine::FilledMemory& filled : machine.filled()) {
    const Input memory = memory_of(machine, filled);
    all.push_back(name_of_memory(memory.name, memory.argument) + " = " + memory.shown + " (line " +
                  std::to_string(memory.place.line) + ")");
  }
  std::string text;
  for (size_t n = 0; n < all.size() && n < kNamedMost; ++n) text += (n == 0 ? "with " : ", ") + all[n];
  if (all.size() > kNamedMost) text += " and " + std::to_string(all.size() - kNamedMost) + " more inputs";
  return text;
}

namespace {

// ", argument 1 becomes {3, 0}": what the thread's call has just filled; empty: nothing.
std::string filled_last(const machine::Machine& machine, const machine::Event& choice) {
  std::string text;
  std::set<uint32_t> arguments;
  const std::vector<machine::Machine::FilledMemory> all = machine.filled();
  for (auto filled = all.rbegin(); filled != all.rend(); ++filled) {
    if (filled->at != choice.operation.at || filled->thread != choice.operation.thread) break;
    if (!arguments.insert(filled->argument).second) break;  // of a call before
    text = ", argument " + std::to_string(filled->argument + 1) + " becomes " + shown_memory(*filled) + text;
  }
  return text;
}

}  // namespace

std::string choice_text(const machine::Machine& machine, const machine::Event& choice) {
  const program::CodeAddress at = choice.operation.at;
  const std::string outcome = "an unknown value decides: outcome " + std::to_string(choice.alternative + 1);
  if (!at.function.valid()) return outcome;
  const program::Instruction& call = machine.program().instruction(at);
  const std::string name = input_name(machine.program(), at);
  const bool assumes = name == "__VERIFIER_assume()" || name == "assume_abort_if_not()";
  if (assumes && choice.alternative != 0) return "the assumption does not hold: the thread stays here";
  const bool asks = choice.operation.second.bits != 0;  // which outcomes are possible
  if (asks && !assumes) return outcome;
  if (call.op != program::Opcode::Call && call.op != program::Opcode::CallIndirect) return outcome;
  if (name.starts_with(kReceive)) {
    if (choice.value_read == 0) return "the client outside sends no more";
    return std::to_string(choice.value_read) + (choice.value_read == 1 ? " byte comes" : " bytes come") +
           " from the client outside";
  }
  const bool variable = !name.ends_with(')');  // that an annotation makes unknown
  const std::string filled = filled_last(machine, choice);
  if (call.op != program::Opcode::Call || call.width == 0 || call.width > 64) return name + " returns" + filled;
  return name + (variable ? " is " : " returns ") + value_text(machine.program(), at, name, choice.value_read) + filled;
}

}  // namespace heddle::detect
