#include "server/machine/code/decode_call.h"

#include <algorithm>

#include "server/library/function.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {

using program::Binding;
using program::BindingKind;
using program::FunctionId;

namespace {

constexpr uint64_t kDenseMost = 512;  // values of a switch that are looked up by an index

void note(std::vector<UnknownExternal>& all, const std::string& name, CodeAddress at) {
  auto found = std::find_if(all.begin(), all.end(), [&](const UnknownExternal& u) { return u.name == name; });
  if (found == all.end()) found = all.insert(found, {name, {}});
  found->calls.push_back(at);
}

}  // namespace

void note_unknown(Image& image, uint32_t external, CodeAddress at) {
  note(image.unknown, image.program->externals()[external].name, at);
}

SwitchInfo switch_info(const program::SwitchTable& table, bool indirect) {
  SwitchInfo info;
  if (indirect) {
    info.otherwise = 0;
    for (uint32_t target : table.targets) info.targets.push_back(static_cast<int32_t>(target));
    return info;
  }
  info.otherwise = static_cast<int32_t>(table.default_target);
  for (size_t n = 0; n < table.values.size(); ++n)
    info.sorted.emplace_back(table.values[n], static_cast<int32_t>(table.targets[n]));
  std::stable_sort(info.sorted.begin(), info.sorted.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  if (!info.sorted.empty() && info.sorted.back().first - info.sorted.front().first < kDenseMost) {
    info.lowest = info.sorted.front().first;
    info.dense.assign(info.sorted.back().first - info.lowest + 1, info.otherwise);
    for (const auto& [value, to] : info.sorted) info.dense[value - info.lowest] = to;
  }
  return info;
}

CallDecoder::CallDecoder(Image& image, CodeAddress at, const program::Instruction& instruction)
    : image_(image), at_(at), instruction_(instruction), function_(image.program->function(at.function)) {
  info.site = &function_.calls[static_cast<size_t>(instruction.imm)];
  info.first_slot = static_cast<uint32_t>(image.argument_slots.size());
}

Code CallDecoder::decode() {
  const bool direct = instruction_.op == program::Opcode::Call;
  const Code code = direct ? code_of_callee() : Code::CallIndirect;
  const uint32_t slots_left = add_arguments(code);
  // A function with another number of parameters, or with a huge frame, takes the slow path. So does one that is
  // variadic (or was declared without a prototype): it takes the named ones here, the rest by area.
  const bool variadic = direct && info.callee.kind == Callee::Kind::Function &&
                        image_.program->function(FunctionId(info.callee.index)).variadic;
  const bool huge = image_.functions[at_.function.value].frame_slots > 0xffff;
  return variadic || (code == Code::Call && (slots_left != 0 || huge)) ? Code::CallVariadic : code;
}

Code CallDecoder::code_of_callee() {
  const Binding binding = image_.program->binding(at_.function, program::SymbolId(instruction_.a));
  if (binding.kind == BindingKind::Function)
    info.callee = callee_of_definition(binding.id);
  else if (binding.kind == BindingKind::External)
    info.callee = image_.externals[binding.id];
  switch (info.callee.kind) {
    case Callee::Kind::Function: return Code::Call;
    case Callee::Kind::Builtin: {
      const std::string& name = image_.program->externals()[binding.id].name;
      note_clock(name);
      heap = heap_call(name);
      return heap ? heap->code : Code::CallBuiltin;
    }
    case Callee::Kind::Visible:
      image_.relaxed_stores |= info.callee.visible->kind == OperationKind::AtomicWrite;
      note_sampled();
      return Code::CallVisible;
    case Callee::Kind::Unknown:
      if (binding.kind == BindingKind::External) note_unknown(image_, binding.id, at_);
      return Code::CallUnknown;
  }
  return Code::CallUnknown;
}

// Returns how many slots of parameters got no argument.
uint32_t CallDecoder::add_arguments(Code code) {
  uint32_t slots_left = ~0u;
  if (code == Code::Call) slots_left = image_.program->function(FunctionId(info.callee.index)).parameter_slots;
  for (const program::Argument& argument : info.site->arguments) {
    for (uint32_t n = 0; n < argument.slots && slots_left > 0; ++n, --slots_left)
      image_.argument_slots.push_back(argument.slot + n);
  }
  info.slots = static_cast<uint32_t>(image_.argument_slots.size()) - info.first_slot;
  for (uint32_t n = 0; n < std::min(info.slots, kDirectSlots); ++n)
    info.direct_slots[n] = static_cast<uint16_t>(image_.argument_slots[info.first_slot + n]);
  return slots_left;
}

// The competition's programs define assume_abort_if_not() by abort(); what it means is an assumption.
Callee CallDecoder::callee_of_definition(uint32_t function) const {
  static const VisibleRow* const kAssume = find_visible("assume_abort_if_not");
  if (image_.program->function(FunctionId(function)).display_name == kAssume->name)
    return {Callee::Kind::Visible, 0, nullptr, kAssume};
  return {Callee::Kind::Function, function, nullptr, nullptr};
}

void CallDecoder::note_sampled() {
  const VisibleRow& row = *info.callee.visible;
  if (row.kind == OperationKind::DataChoice && row.values.size() >= 2) note(image_.sampled, std::string(row.name), at_);
}

void CallDecoder::note_clock(const std::string& name) {
  if (const auto* row = library::find_function(name); row != nullptr)
    image_.reads_clock |= row->has(library::Flag::ReadsClock);
}

// None: another function, or one that has to call what the program put in its place.
std::optional<HeapCall> CallDecoder::heap_call(const std::string& name) const {
  static_assert(static_cast<int>(AllocatedBy::New) == static_cast<int>(library::BlockKind::New) &&
                static_cast<int>(AllocatedBy::NewArray) == static_cast<int>(library::BlockKind::NewArray));
  const program::CallSite& site = *info.site;
  const library::Function* const row = library::find_row(name);
  if (row == nullptr || row->block.call == library::BlockCall::None) return std::nullopt;
  if (site.arguments.empty() || site.arguments[0].slots != 1) return std::nullopt;
  const bool allocates = row->block.call == library::BlockCall::Allocates;
  if (allocates && site.result_slots != 1) return std::nullopt;
  const program::FunctionId replaced = allocates ? image_.replaced_new : image_.replaced_delete;
  const auto by = static_cast<AllocatedBy>(row->block.kind);
  if (by != AllocatedBy::Malloc && replaced.valid()) return std::nullopt;
  return HeapCall{allocates ? Code::Allocate : Code::Release, by};
}

}  // namespace heddle::machine
