// Showing bytes of memory as the source shows them: access paths and values.
#include <charconv>
#include <cstdio>
#include <cstring>

#include "server/program/print.h"

namespace heddle::program {
namespace {

// Library types whose insides mean nothing to the reader.
bool is_opaque(const Type& type) {
  static constexpr std::string_view kPrefixes[] = {"pthread_",  "sem_t", "mtx_t",      "cnd_t",
                                                   "once_flag", "FILE",  "struct _IO_"};
  for (std::string_view prefix : kPrefixes)
    if (type.name.starts_with(prefix)) return true;
  return false;
}

// The field that holds [offset, offset + size); null if there is none. An exact fit wins (unions).
const Type::Field* field_at(const Unit& unit, const Type& type, uint64_t offset, uint64_t size) {
  const Type::Field* best = nullptr;
  for (const Type::Field& field : type.fields) {
    uint64_t field_size = field.type.value < unit.types.size() ? unit.types[field.type.value].size : 0;
    if (field.bit_size) field_size = std::max<uint64_t>(field_size, (field.bit_size + 7) / 8);
    if (offset < field.offset || offset + std::max<uint64_t>(size, 1) > field.offset + field_size) continue;
    if (offset == field.offset && size == field_size) return &field;
    if (!best) best = &field;
  }
  return best;
}

std::string hex(uint64_t bits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  return text;
}

int64_t sign_extend(uint64_t bits, uint64_t size) {
  if (size == 0 || size >= 8) return static_cast<int64_t>(bits);
  const auto shift = static_cast<unsigned>(64 - size * 8);
  return static_cast<int64_t>(bits << shift) >> shift;
}

uint64_t zero_extend(uint64_t bits, uint64_t size) {
  return size == 0 || size >= 8 ? bits : bits & ((uint64_t{1} << (size * 8)) - 1);
}

std::string character(int64_t value) {
  switch (value) {
    case '\n': return "'\\n'";
    case '\t': return "'\\t'";
    case '\r': return "'\\r'";
    case 0: return "'\\0'";
    case '\'': return "'\\''";
    case '\\': return "'\\\\'";
    default: break;
  }
  if (value >= 32 && value < 127) return std::string("'") + static_cast<char>(value) + "'";
  return std::to_string(value);
}

template <typename T>
std::string shortest(T value) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : std::string("?");
}

}  // namespace

std::string access_path(const Unit& unit, TypeId type_id, uint64_t offset, uint64_t size) {
  std::string path;
  for (int depth = 0; depth < 64 && type_id.value < unit.types.size(); ++depth) {
    const Type& type = unit.types[type_id.value];
    if (is_opaque(type) && depth > 0) return path;
    if (type.kind == TypeKind::Array) {
      const uint64_t element = type.element.value < unit.types.size() ? unit.types[type.element.value].size : 0;
      if (element == 0 || size > element || (offset + std::max<uint64_t>(size, 1) > type.size && type.size))
        return path;
      if (offset % element + size > element) return path;
      path += "[" + std::to_string(offset / element) + "]";
      offset %= element;
      type_id = type.element;
    } else if (type.kind == TypeKind::Record || type.kind == TypeKind::Union) {
      if (size == 0 && offset == 0 && depth > 0) return path;
      if (size == type.size && depth > 0 && type.fields.size() > 1) return path;
      const Type::Field* field = field_at(unit, type, offset, size);
      if (!field) return path;
      // Of std::array the only one: its elements are those of the array.
      // Clang names the pointer to the virtual table "_vptr$Base".
      if (field->name.starts_with("_vptr$"))
        path += ".vptr";
      else if (!field->name.empty() && field->name != "_M_elems")
        path += "." + field->name;
      offset -= field->offset;
      type_id = field->type;
    } else {
      return path;
    }
  }
  return path;
}

namespace {
std::string record(const Unit& unit, const Type& type, uint64_t bits, uint64_t size) {
  std::string text;
  for (const Type::Field& field : type.fields) {
    if (field.type.value >= unit.types.size()) return hex(zero_extend(bits, size));
    const uint64_t part = unit.types[field.type.value].size;
    if (part == 0 || field.offset + part > size) return hex(zero_extend(bits, size));
    text += (text.empty() ? "{" : ", ") + print_value(unit, field.type, bits >> (field.offset * 8), part);
  }
  return text.empty() ? hex(zero_extend(bits, size)) : text + "}";
}
}  // namespace

std::string print_value(const Unit& unit, TypeId type_id, uint64_t bits, uint64_t size) {
  if (type_id.value >= unit.types.size()) return hex(zero_extend(bits, size));
  const Type& type = unit.types[type_id.value];
  switch (type.kind) {
    case TypeKind::Integer: return std::to_string(sign_extend(bits, size));
    case TypeKind::Unsigned: return std::to_string(zero_extend(bits, size));
    case TypeKind::Boolean:
      return zero_extend(bits, size) == 0 ? "false" : zero_extend(bits, size) == 1 ? "true" : std::to_string(bits);
    case TypeKind::Character: return character(sign_extend(bits, size));
    case TypeKind::Float:
      if (size == 4) return shortest(__builtin_bit_cast(float, static_cast<uint32_t>(bits)));
      if (size == 8) return shortest(__builtin_bit_cast(double, bits));
      return hex(bits);
    case TypeKind::Pointer: return bits == 0 ? "null" : hex(bits);
    case TypeKind::Enumeration:
      for (const auto& [name, value] : type.enumerators)
        if (zero_extend(static_cast<uint64_t>(value), size) == zero_extend(bits, size)) return name;
      if (type.element.value < unit.types.size() && unit.types[type.element.value].kind == TypeKind::Unsigned)
        return std::to_string(zero_extend(bits, size));
      return std::to_string(sign_extend(bits, size));
    case TypeKind::Record: return record(unit, type, bits, size);
    default: return hex(zero_extend(bits, size));
  }
}

}  // namespace heddle::program
