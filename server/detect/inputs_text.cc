#include "server/detect/inputs_text.h"

#include "server/program/call_result.h"

namespace heddle::detect {
namespace {

constexpr size_t kNamedMost = 8;

std::string name_of_call(const program::Program& program, program::CodeAddress at) {
  const program::Instruction& call = program.instruction(at);
  if (call.op != program::Opcode::Call) return "an unknown function";
  const program::Binding binding = program.binding(at.function, program::SymbolId(call.a));
  return binding.kind == program::BindingKind::External ? program.externals()[binding.id].name + "()"
                                                        : "an unknown function";
}

// Functions named for unsigned types return numbers without sign.
bool has_sign(const std::string& name, uint32_t width) {
  constexpr std::string_view kPrefix = "__VERIFIER_nondet_";
  if (width == 1) return false;
  if (name.compare(0, kPrefix.size(), kPrefix) != 0) return true;
  return name[kPrefix.size()] != 'u' && name.compare(kPrefix.size(), 6, "size_t") != 0;
}

std::string value_text(uint64_t value, uint32_t width, bool with_sign) {
  if (!with_sign || (value >> (width - 1) & 1) == 0) return std::to_string(value);
  const uint64_t extended = width == 64 ? value : value | ~uint64_t{0} << width;
  return std::to_string(static_cast<int64_t>(extended));
}

std::string quoted_text(const std::string& text) {
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

}  // namespace

std::string inputs_text(const machine::Machine& machine) {
  const program::Program& program = machine.program();
  std::vector<std::string> all;
  for (const machine::Machine::InputText& input : machine.input_texts())
    all.push_back(input.name + (input.text ? " = " + quoted_text(*input.text) : " not set"));
  for (const machine::Machine::InputValue& input : machine.inputs()) {
    if (!input.at.function.valid()) continue;  // a byte of a text
    const std::string name = name_of_call(program, input.at);
    all.push_back(name + " = " + value_text(input.value, input.width, has_sign(name, input.width)) + " (line " +
                  std::to_string(program.place(input.at).line) + ")");
  }
  std::string text;
  for (size_t n = 0; n < all.size() && n < kNamedMost; ++n) text += (n == 0 ? "with " : ", ") + all[n];
  if (all.size() > kNamedMost) text += " and " + std::to_string(all.size() - kNamedMost) + " more inputs";
  return text;
}

std::string choice_text(const machine::Machine& machine, const machine::Event& choice) {
  const program::CodeAddress at = choice.operation.at;
  const std::string outcome = "an unknown value decides: outcome " + std::to_string(choice.alternative + 1);
  const bool asks = choice.operation.second.bits != 0;  // which outcomes are possible
  if (asks || !at.function.valid()) return outcome;
  const program::Instruction& call = machine.program().instruction(at);
  if (call.op != program::Opcode::Call && call.op != program::Opcode::CallIndirect) return outcome;
  const std::string name = name_of_call(machine.program(), at);
  const bool number = (call.flags & (program::kCallPointer | program::kCallFloat)) == 0;
  if (call.width == 0 || call.width > 64 || !number) return name + " returns";
  return name + " returns " + value_text(choice.value_read, call.width, has_sign(name, call.width));
}

}  // namespace heddle::detect
