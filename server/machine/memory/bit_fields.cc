#include "server/machine/memory/bit_fields.h"

#include <vector>

#include "server/machine/state.h"

namespace heddle::machine {

std::string shared_bits(const Machine::State& s, Pointer at, uint32_t size) {
  const program::Unit* unit = nullptr;
  uint64_t offset = 0;
  program::TypeId type = s.type_at(at, &unit, &offset);
  std::vector<std::string> names;
  while (unit != nullptr && type.valid() && type.value < unit->types.size()) {
    const program::Type& whole = unit->types[type.value];
    type = {};
    if (whole.kind == program::TypeKind::Array && whole.element.valid() && whole.element.value < unit->types.size()) {
      const uint64_t step = unit->types[whole.element.value].size;
      if (step == 0) break;
      offset %= step;
      type = whole.element;
    }
    const program::Type::Field* inside = nullptr;
    for (const program::Type::Field& field : whole.fields) {
      if (field.bit_size != 0) {
        const bool there = field.offset < offset + size && offset < field.offset + (field.bit_size + 7) / 8;
        if (there && !field.name.empty()) names.push_back(field.name);
      } else if (field.type.valid() && field.type.value < unit->types.size() && offset >= field.offset &&
                 offset < field.offset + unit->types[field.type.value].size) {
        inside = &field;
      }
    }
    if (inside == nullptr || !names.empty()) continue;
    offset -= inside->offset;
    type = inside->type;
  }
  if (names.size() < 2) return "";
  std::string text = std::string(kBitFields) + " ";
  for (size_t n = 0; n < names.size(); ++n)
    text += (n == 0 ? "'" : n + 1 == names.size() ? "' and '" : "', '") + names[n];
  return text + "' share one memory location";
}

}  // namespace heddle::machine
