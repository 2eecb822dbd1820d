#include "server/machine/symbolic/fill.h"

#include <algorithm>
#include <optional>

#include "server/library/function.h"
#include "server/machine/symbolic/values.h"

namespace heddle::machine {

static_assert(kFilledArguments == library::kFilledArguments, "the analysis knows of these");

namespace {

using program::Type;
using program::TypeId;
using program::TypeKind;

struct TypedPlace {
  const program::Unit* unit = nullptr;
  TypeId type;
  uint64_t offset = 0;

  const Type* known() const {
    return unit != nullptr && type.valid() && type.value < unit->types.size() ? &unit->types[type.value] : nullptr;
  }
  const Type* of(TypeId id) const {
    return id.valid() && id.value < unit->types.size() ? &unit->types[id.value] : nullptr;
  }
};

// One step into an array's element or the field that the offset lies in. False: it is neither, or lies in no field.
bool step_inside(TypedPlace& place) {
  const Type& whole = *place.known();
  if (whole.kind == TypeKind::Array) {
    const Type* const element = place.of(whole.element);
    if (element == nullptr || element->size == 0 || place.offset >= whole.size) return false;
    place.offset %= element->size;
    place.type = whole.element;
    return true;
  }
  if (whole.kind != TypeKind::Record) return false;
  for (const Type::Field& field : whole.fields) {
    const Type* const type = place.of(field.type);
    if (type == nullptr || field.bit_size != 0 || place.offset < field.offset ||
        place.offset >= field.offset + type->size)
      continue;
    place.offset -= field.offset;
    place.type = field.type;
    return true;
  }
  return false;
}

// How many bytes are left of the variable, the field or the array that begins there. Inside of an array, or of what has
// no type: all up to its end.
uint64_t bytes_from(TypedPlace place, uint64_t rest) {
  while (place.known() != nullptr && place.offset != 0) {
    const Type& whole = *place.known();
    if (whole.kind == TypeKind::Array) return std::min(rest, whole.size - std::min(place.offset, whole.size));
    if (!step_inside(place)) return rest;
  }
  const Type* const begins = place.known();
  return begins == nullptr || begins->size == 0 ? rest : std::min(rest, begins->size);
}

// A number, a pointer, or what is filled byte by byte (null). `gap`: no field has the byte.
const Type* scalar_at(TypedPlace& place, bool& gap) {
  gap = false;
  while (const Type* const type = place.known()) {
    if (type->kind != TypeKind::Array && type->kind != TypeKind::Record)
      return type->kind == TypeKind::Union || type->kind == TypeKind::Unknown || type->kind == TypeKind::Function
                 ? nullptr
                 : type;
    const bool of_bits = std::any_of(type->fields.begin(), type->fields.end(),
                                     [](const Type::Field& field) { return field.bit_size != 0; });
    gap = type->kind == TypeKind::Record && !of_bits;
    if (!step_inside(place)) return nullptr;
    gap = false;
  }
  return nullptr;
}

class Filling {
 public:
  Filling(Machine::State& s, Thread& t, Pointer at, uint32_t size, uint32_t unit)
      : s_(s), t_(t), symbols_(*s.symbols_), at_(at), size_(size), unit_(unit) {
    filled_.at = s.image_->address(t.pc);
    filled_.thread = t.id;
    filled_.bytes = size;
  }

  void run(uint32_t argument) {
    filled_.argument = argument;
    for (uint32_t offset = 0; offset < size_;) offset += one(offset);
    symbols_.note_filled(std::move(filled_));
  }

 private:
  uint32_t one(uint32_t offset) {
    TypedPlace place;
    place.type = s_.type_at({at_.bits + offset}, &place.unit, &place.offset);
    bool gap = false;
    const bool typed = place.known() != nullptr;
    const Type* const type = scalar_at(place, gap);
    if (gap) return 1;
    const bool whole = type != nullptr && place.offset == 0 && type->size <= size_ - offset;
    if (whole && type->kind == TypeKind::Pointer) return static_cast<uint32_t>(type->size);
    if (whole && type->kind == TypeKind::Boolean && type->size == 1) {
      const Expression bit = symbols_.new_input(t_.id, 1, filled_.at);
      return give(offset, 1, symbols_.pool().extend(symbolic::Operation::ZeroExtend, 8, bit));
    }
    const uint64_t wanted = whole ? type->size : !typed && unit_ <= size_ - offset ? unit_ : 1;
    const uint32_t size = wanted == 2 || wanted == 4 || wanted == 8 ? static_cast<uint32_t>(wanted) : 1;
    return give(offset, size, symbols_.new_input(t_.id, size * 8, filled_.at));
  }

  uint32_t give(uint32_t offset, uint32_t size, Expression value) {
    const uint64_t number = symbols_.value_of(value);  // not 0 if inputs were given
    if (number != 0) s_.write(t_, {at_.bits + offset}, &number, size);
    for (uint32_t n = 0; n < size; ++n) symbols_.set_byte(at_.bits + offset + n, value, static_cast<uint8_t>(n));
    filled_.parts.push_back({offset, size, value});
    return size;
  }

  Machine::State& s_;
  Thread& t_;
  Symbols& symbols_;
  const Pointer at_;
  const uint32_t size_, unit_;
  Symbols::Filled filled_;
};

// By one argument; nothing: it is left alone.
std::optional<FilledRange> range_of(const Machine::State& s, const Thread& t, const program::CallSite& site,
                                    const UnknownFill& fill) {
  const auto argument = [&](uint32_t n) { return t.stack[t.fp + site.arguments[n].slot]; };
  FilledRange range{{argument(fill.argument)}, fill.bytes, 1, fill.argument};
  if (fill.size_argument) {
    const uint64_t element = std::max<uint64_t>(fill.bytes, 1);
    if (__builtin_mul_overflow(argument(*fill.size_argument), element, &range.size)) range.size = ~uint64_t{0} >> 1;
    if (element <= 8) range.unit = static_cast<uint32_t>(element);
  } else if (fill.bytes == 0) {
    if (range.at.bits == 0) return std::nullopt;
    const Object& o = *s.memory_.find(range.at.bits);
    TypedPlace place;
    place.type = s.type_at(range.at, &place.unit, &place.offset);
    const bool there = range.at.offset() < o.size;
    range.size = there ? bytes_from(place, o.size - range.at.offset()) : 1;  // an access that is a fault
  }
  return range.size == 0 ? std::nullopt : std::optional(range);
}

bool fill_range(Machine::State& s, Thread& t, const FilledRange& range) {
  const Object& o = *s.memory_.find(range.at.bits);
  const bool inside = range.at.offset() <= o.size && range.size <= o.size - range.at.offset();
  if (inside && range.size > kFilledMost)
    return s.fault(t, FaultKind::Unsupported,
                   "a function that nothing defines fills " + std::to_string(range.size) +
                       " bytes: Heddle fills at most " + std::to_string(kFilledMost));
  if (!s.fill(t, range.at, 0, range.size, false)) return false;
  s.symbols_->clear_bytes(range.at.bits, range.size);
  Filling(s, t, range.at, static_cast<uint32_t>(range.size), range.unit).run(range.argument);
  return true;
}

}  // namespace

std::vector<FilledRange> ranges_to_fill(const Machine::State& s, const Thread& t) {
  std::vector<FilledRange> result;
  const UnknownPolicy& policy = s.unknown_policy(t);
  if (policy.fills.empty()) return result;
  const program::CallSite& site = *s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)].site;
  for (const UnknownFill& fill : policy.fills)
    if (const std::optional<FilledRange> range = range_of(s, t, site, fill)) result.push_back(*range);
  return result;
}

bool fill_memory(Machine::State& s, Thread& t, const std::vector<FilledRange>& ranges) {
  if (ranges.empty()) return true;
  s.symbols();
  return std::all_of(ranges.begin(), ranges.end(), [&](const FilledRange& one) { return fill_range(s, t, one); });
}

}  // namespace heddle::machine
