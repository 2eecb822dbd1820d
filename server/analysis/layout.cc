#include "server/analysis/layout.h"

#include <algorithm>

namespace heddle::analysis {

namespace {

bool has_array(const std::vector<program::Type>& types, const program::Type& type) {
  return std::any_of(type.fields.begin(), type.fields.end(), [&](const program::Type::Field& field) {
    return field.type.valid() && types[field.type.value].kind == program::TypeKind::Array;
  });
}

// The member that holds the byte. An empty base lies where another member does, and is smaller; a base that counts its
// own virtual bases reaches over the members after it.
const program::Type::Field* member_at(const std::vector<program::Type>& types, const program::Type& record,
                                      int64_t offset) {
  const program::Type::Field* member = nullptr;
  for (const auto& field : record.fields) {
    if (!field.type.valid()) continue;
    const uint64_t size = types[field.type.value].size;
    if (static_cast<int64_t>(field.offset) > offset || offset >= static_cast<int64_t>(field.offset + size)) continue;
    if (!member || field.offset > member->offset ||
        (field.offset == member->offset && size >= types[member->type.value].size))
      member = &field;
  }
  return member;
}

}  // namespace

// Array elements onto the first one, all the way down the type.
int64_t fold(const Shape& object, int64_t offset) {
  if (offset == kUnknownOffset) return object.period == 1 ? 0 : kUnknownOffset;
  if (object.period > 0) return ((offset % object.period) + object.period) % object.period;
  if (!object.unit || outside(object, offset)) return offset;
  const auto& types = object.unit->types;
  int64_t base = 0;
  program::TypeId type = object.type;
  for (int depth = 0; depth < 32 && type.valid(); ++depth) {
    const program::Type& t = types[type.value];
    if (t.kind == program::TypeKind::Array) {
      if (!t.element.valid() || types[t.element.value].size == 0) break;
      offset %= static_cast<int64_t>(types[t.element.value].size);
      type = t.element;
    } else if (t.kind == program::TypeKind::Record) {
      const program::Type::Field* inside = member_at(types, t, offset);
      if (!inside) break;
      base += static_cast<int64_t>(inside->offset);
      offset -= static_cast<int64_t>(inside->offset);
      type = inside->type;
    } else if (t.kind == program::TypeKind::Union && has_array(types, t)) {
      return base;  // an element of the array may be any byte of the others
    } else {
      break;
    }
  }
  return base + offset;
}

bool outside(const Shape& object, int64_t offset) {
  if (offset == kUnknownOffset || object.period > 0) return false;
  return offset < 0 || (object.size > 0 && static_cast<uint64_t>(offset) > object.size);
}

bool past_end(const Shape& object, int64_t offset) {
  return outside(object, offset) ||
         (object.size > 0 && object.period == 0 && offset == static_cast<int64_t>(object.size));
}

bool is_no_array(const Shape& object, int64_t offset) {
  if (!object.unit || object.period > 0 || offset < 0 || static_cast<uint64_t>(offset) >= object.size) return false;
  const auto& types = object.unit->types;
  program::TypeId type = object.type;
  for (int depth = 0; depth < 32 && type.valid(); ++depth) {
    const program::Type& t = types[type.value];
    if (t.kind != program::TypeKind::Record)
      return t.kind != program::TypeKind::Array && t.kind != program::TypeKind::Union &&
             t.kind != program::TypeKind::Unknown;
    const program::Type::Field* inside = member_at(types, t, offset);
    if (!inside) return false;
    offset -= static_cast<int64_t>(inside->offset);
    type = inside->type;
  }
  return false;
}

bool fits_array(const Shape& object, int64_t offset, int64_t stride) {
  if (!object.unit || stride == 0 || offset < 0) return false;
  const auto& types = object.unit->types;
  program::TypeId type = object.type;
  for (int depth = 0; depth < 32 && type.valid(); ++depth) {
    const program::Type& t = types[type.value];
    if (t.kind == program::TypeKind::Array) {
      if (!t.element.valid() || types[t.element.value].size == 0) return false;
      const int64_t element = static_cast<int64_t>(types[t.element.value].size);
      if (stride % element == 0) return true;
      offset %= element;
      type = t.element;
    } else if (t.kind == program::TypeKind::Record) {
      const program::Type::Field* inside = member_at(types, t, offset);
      if (!inside) return false;
      offset -= static_cast<int64_t>(inside->offset);
      type = inside->type;
    } else if (t.kind == program::TypeKind::Union) {  // the buffer of a short string, for instance
      for (const auto& field : t.fields) {
        if (!field.type.valid() || types[field.type.value].kind != program::TypeKind::Array) continue;
        const program::TypeId element = types[field.type.value].element;
        if (element.valid() && types[element.value].size > 0 &&
            stride % static_cast<int64_t>(types[element.value].size) == 0)
          return true;
      }
      return false;
    } else {
      return false;
    }
  }
  return false;
}

}  // namespace heddle::analysis
