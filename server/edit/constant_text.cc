#include "server/edit/constant_text.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace heddle::edit {
namespace {

constexpr uint32_t kNoArgument = 0xffffffffu;

uint32_t format_argument(const library::Function& function) {
  return function.format < 0 ? kNoArgument : static_cast<uint32_t>(function.format);
}

// The constant text whose first byte the operand points to.
std::optional<std::string_view> text_of(const Facts& facts, const FunctionView& view, const Operand& operand) {
  if (operand.definitions.size() != 1 || operand.definitions[0] == CodeGraph::kParameter) return std::nullopt;
  const Instruction& address = view.code().code[operand.definitions[0]];
  if (address.op != Opcode::SymbolAddress || address.imm != 0) return std::nullopt;
  const program::Binding binding = facts.program->binding(view.id(), program::SymbolId(address.a));
  if (binding.kind != program::BindingKind::Global) return std::nullopt;
  const program::Global& global = facts.program->global(program::GlobalId(binding.id));
  if (!global.string_literal || !global.relocations.empty()) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const char*>(global.initialiser.data());
  const size_t length = ::strnlen(bytes, global.initialiser.size());
  if (length >= global.size) return std::nullopt;  // no terminator
  return std::string_view(bytes, length);
}

std::string conversions(std::string_view format) {
  std::string found;
  for (size_t n = 0; n < format.size(); ++n) {
    if (format[n] != '%') continue;
    const size_t end = format.find_first_of("diouxXeEfFgGaAcCsSpnm%[", n + 1);
    if (end == format.npos) return found + "?";
    if (format[end] != '%') found += std::string(format.substr(n, end - n + 1)) + ";";
    n = end;
  }
  return found;
}

const Operand* operand_of(const FunctionView& view, uint32_t index, uint32_t argument) {
  const auto& operands = view.operands(index);
  const auto found = std::find_if(operands.begin(), operands.end(),
                                  [&](const Operand& operand) { return operand.argument == argument; });
  return found == operands.end() ? nullptr : &*found;
}

// True if the operand is loaded from `stdout` or `stderr`. Such a stream stays open, so writing to it cannot fail.
bool is_standard_stream(const Facts& facts, const FunctionView& view, const Operand& operand) {
  if (operand.definitions.size() != 1 || operand.definitions[0] == CodeGraph::kParameter) return false;
  const uint32_t at = operand.definitions[0];
  const Instruction& load = view.code().code[at];
  if (load.op != Opcode::Load || load.imm != 0) return false;
  const auto addresses = view.graph().definitions(at, load.a);
  if (addresses.size() != 1 || addresses[0] == CodeGraph::kParameter) return false;
  const Instruction& address = view.code().code[addresses[0]];
  if (address.op != Opcode::SymbolAddress) return false;
  const program::Binding binding = facts.program->binding(view.id(), program::SymbolId(address.a));
  if (binding.kind != program::BindingKind::External) return false;
  const std::string& name = facts.program->externals()[binding.id].name;
  return name == "stdout" || name == "stderr";
}

// It writes as much as the text and the arguments make, to memory of the program: each of them may decide whether that
// fits, and how much later calls find written.
bool fills_memory(const library::Function& row) { return row.name.find("sprintf") != row.name.npos; }

size_t conversion_count(const std::string& conversions) {
  return static_cast<size_t>(std::count(conversions.begin(), conversions.end(), ';'));
}

size_t arguments_after(const FunctionView& view, uint32_t index, uint32_t format) {
  const auto& site = view.code().calls[static_cast<size_t>(view.code().code[index].imm)];
  return site.arguments.size() - std::min<size_t>(site.arguments.size(), format + 1);
}

}  // namespace

std::optional<std::string> conversions_of(const Facts& facts, const FunctionView& view, uint32_t index,
                                          const Operand& operand) {
  const auto* row = analysis::library_callee(*facts.program, view.id(), view.code().code[index]);
  if (!row || operand.argument == kNoArgument || format_argument(*row) != operand.argument) return std::nullopt;
  if (fills_memory(*row)) return std::nullopt;
  const auto text = text_of(facts, view, operand);
  if (!text) return std::nullopt;
  return conversions(*text);
}

bool argument_decides(const Facts& facts, const FunctionView& view, uint32_t index, const Operand& operand) {
  const auto* row = analysis::library_callee(*facts.program, view.id(), view.code().code[index]);
  if (!row || operand.argument == kNoArgument || fills_memory(*row)) return true;
  if (is_standard_stream(facts, view, operand)) return false;
  if (const uint32_t format = format_argument(*row); format != kNoArgument) {
    if (operand.argument < format) return true;
    const Operand* const text = operand_of(view, index, format);
    const auto found = text ? conversions_of(facts, view, index, *text) : std::nullopt;
    if (!found || found->find_first_of("sSn*?[") != std::string::npos || row->name.find("scanf") != row->name.npos)
      return true;
    return operand.argument == format && conversion_count(*found) > arguments_after(view, index, format);
  }
  // Functions with a size read as far as that says, whatever the text.
  const auto& operands = view.operands(index);
  const bool only_pointers = std::all_of(operands.begin(), operands.end(), [&](const Operand& other) {
    return other.argument != kNoArgument && (row->reads >> std::min(other.argument, 15u) & 1) != 0;
  });
  return !(only_pointers && text_of(facts, view, operand));
}

}  // namespace heddle::edit
