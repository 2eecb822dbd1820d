// Gives the parts of a program ids of different types, so that they cannot be confused.
//
// In:      32-bit indices.
// Out:     ids that compare and hash; all ones means "no such thing".
// Owns:    nothing; plain values.
// Threads: values.
// Fails:   never; no id knows whether it is in range.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace heddle::program {

// A 32-bit index with a tag. `none` (all ones) means "no such thing".
template <typename Tag>
struct Id {
  static constexpr uint32_t kNone = 0xffffffffu;
  uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t v) : value(v) {}
  constexpr bool valid() const { return value != kNone; }
  static constexpr Id none() { return Id{}; }
  constexpr auto operator<=>(const Id&) const = default;
};

using FileId = Id<struct FileTag>;          // into Unit::files
using PlaceId = Id<struct PlaceTag>;        // into Unit::places
using SymbolId = Id<struct SymbolTag>;      // into Unit::symbols (meaning is local to the unit)
using TypeId = Id<struct TypeTag>;          // into Unit::types
using UnitId = Id<struct UnitTag>;          // into Program::units()
using FunctionId = Id<struct FunctionTag>;  // a defined function of a linked Program
using GlobalId = Id<struct GlobalTag>;      // a defined variable of a linked Program
using ExternalId = Id<struct ExternalTag>;  // an undefined symbol of a linked Program

// One instruction of a linked program: the static identity of a statement's step.
struct CodeAddress {
  FunctionId function;
  uint32_t index = 0;  // into Function::code

  constexpr auto operator<=>(const CodeAddress&) const = default;
  constexpr uint64_t bits() const { return uint64_t{function.value} << 32 | index; }
  static constexpr CodeAddress from_bits(uint64_t bits) {
    return {FunctionId(static_cast<uint32_t>(bits >> 32)), static_cast<uint32_t>(bits)};
  }
};

}  // namespace heddle::program

template <typename Tag>
struct std::hash<heddle::program::Id<Tag>> {
  size_t operator()(heddle::program::Id<Tag> id) const noexcept { return id.value * 0x9e3779b97f4a7c15ull; }
};
template <>
struct std::hash<heddle::program::CodeAddress> {
  size_t operator()(heddle::program::CodeAddress at) const noexcept {
    const uint64_t mixed = at.bits() * 0x9e3779b97f4a7c15ull;
    return mixed ^ (mixed >> 29);
  }
};
