// Steps whose length is a value: through arrays, to virtual bases, and to the object of a member function.
#include <cstring>
#include <functional>

#include "server/analysis/builder.h"

namespace heddle::analysis {
namespace {

using program::TypeKind;

bool is_library_class(std::string_view name) {
  if (name.starts_with("struct ")) name.remove_prefix(7);
  return name.starts_with("_") || name.starts_with("basic_") || name.starts_with("tuple<") ||
         name.starts_with("pair<") || name.starts_with("(");
}

}  // namespace

// A library does not copy objects byte by byte: its steps of a few bytes go over characters and numbers, and stay in
// the member they begin in.
void Builder::index(Address at, Node from, Node to) {
  if (step_to_base(at, from, to) || step_to_member(at, from, to)) return;
  const int64_t stride = program.instruction(at).imm;
  const bool narrow = stride > -8 && stride < 8;
  if (program.function(at.function).in_project)
    solver.index(from, stride, to);
  else
    narrow ? solver.byte_range(from, stride, to) : solver.element(from, stride, to);
}

// A step to a virtual base: its length stands in the virtual table, before the place that objects point to.
bool Builder::step_to_base(Address at, Node from, Node to) {
  const Function& function = program.function(at.function);
  if (function.code[at.index].imm != 1) return false;
  const CodeGraph& graph = *graphs[at.function.value];
  const auto load = [&](uint32_t index, Slot slot) -> std::optional<uint32_t> {
    const auto definitions = graph.definitions(index, slot);
    if (definitions.size() != 1 || definitions[0] == CodeGraph::kParameter) return std::nullopt;
    const Instruction& made = function.code[definitions[0]];
    if (made.op != Opcode::Load || made.width != 64) return std::nullopt;
    return definitions[0];
  };
  const auto step = load(at.index, function.code[at.index].b);
  if (!step || function.code[*step].imm >= 0) return false;
  const int64_t before = function.code[*step].imm;
  const auto table = load(*step, function.code[*step].a);
  if (!table) return false;
  const int64_t stride = function.code[at.index].imm;
  solver.watch_offsets(nodes_[at.function.value].results[*table], [=, this](Cell cell, int64_t offset) {
    if (!is_virtual_table(cell)) return solver.index(from, stride, to);
    const std::vector<uint8_t>& bytes = program.global(objects[cell].global).initialiser;
    if (offset == kUnknownOffset || offset + before < 0 || static_cast<uint64_t>(offset + before) + 8 > bytes.size())
      return;
    int64_t length = 0;
    std::memcpy(&length, bytes.data() + offset + before, sizeof length);
    solver.shift(from, length, to);
  });
  return true;
}

// The object of a call through a pointer to a member function: its second word is how far the class of the function
// lies inside the object, none or the offset of a base.
bool Builder::step_to_member(Address at, Node from, Node to) {
  const Function& function = program.function(at.function);
  if (function.code[at.index].imm != 1 || link_name(at.function).compare(0, 2, "_Z") != 0) return false;
  const auto is_object_of = [&](uint32_t call) {
    const Instruction& code = function.code[call];
    if (code.op != Opcode::CallIndirect) return false;
    const program::CallSite& site = function.calls[static_cast<size_t>(code.imm)];
    if (site.arguments.empty()) return false;
    const auto definitions = graph(at.function).definitions(call, site.arguments[0].slot);
    return definitions.size() == 1 && definitions[0] == at.index;
  };
  bool found = false;
  for (uint32_t call = at.index + 1; call < function.code.size() && !found; ++call) found = is_object_of(call);
  if (!found) return false;
  copy(from, to);
  for (const int64_t offset : base_offsets()) {
    solver.shift(from, offset, to);
    solver.shift(from, -offset, to);
  }
  return true;
}

// Of all bases in all classes that do not lie at the beginning. The library's own classes, and members without a name,
// are left out: no code adjusts pointers to their member functions.
const std::set<int64_t>& Builder::base_offsets() {
  if (base_offsets_) return *base_offsets_;
  base_offsets_.emplace();
  for (const program::UnitPtr& unit : program.units()) {
    std::vector<std::set<int64_t>> known(unit->types.size());
    std::vector<bool> seen(unit->types.size(), false);
    const std::function<void(uint32_t)> collect = [&](uint32_t type) {
      if (seen[type] || is_library_class(unit->types[type].name)) return;
      seen[type] = true;
      for (const auto& field : unit->types[type].fields) {
        if (!field.name.empty() || !field.type.valid() || unit->types[field.type.value].kind != TypeKind::Record)
          continue;
        if (is_library_class(unit->types[field.type.value].name)) continue;
        collect(field.type.value);
        known[type].insert(static_cast<int64_t>(field.offset));
        for (const int64_t inner : known[field.type.value])
          known[type].insert(inner + static_cast<int64_t>(field.offset));
      }
      base_offsets_->insert(known[type].begin(), known[type].end());
    };
    for (uint32_t type = 0; type < unit->types.size(); ++type) collect(type);
  }
  base_offsets_->erase(0);
  return *base_offsets_;
}

}  // namespace heddle::analysis
