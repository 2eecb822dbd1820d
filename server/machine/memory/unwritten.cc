#include "server/machine/memory/unwritten.h"

#include <algorithm>
#include <bit>
#include <map>

#include "server/program/operands.h"

namespace heddle::machine {

using program::FloatKind;
using program::FunctionId;
using program::Instruction;
using program::Opcode;
using program::Slot;

namespace {

uint64_t mask_of(uint32_t width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

// A value that depends on one that was never written, on its way. Each choice of its unknown bits is possible.
struct Value {
  Slot slot = 0;
  uint64_t unknown = 0;  // bits that were never written
  uint64_t known = 0;    // the others, once some were masked out
  bool masked = false;   // some bits are known
  bool narrowed = false;
};

// What becomes of a value.
struct Fate {
  bool decides = false;
  bool returned = false;
  bool quiet = false;  // and nothing is stored or called before
};

// Of the binary operations, each has its form with a constant after it.
bool is_immediate(const Instruction& i) {
  return (static_cast<uint32_t>(i.op) - static_cast<uint32_t>(Opcode::Add)) % 2 == 1;
}

bool is_comparison(Opcode op) { return op >= Opcode::CmpEq && op <= Opcode::CmpSGeI; }

bool defines(const program::Function& function, const Instruction& i, Slot slot) {
  bool found = false;
  program::for_each_definition(function, i,
                               [&](Slot first, uint32_t count) { found |= slot >= first && slot < first + count; });
  return found;
}

uint32_t results_of(const program::Function& function, const Instruction& i) {
  uint32_t slots = 0;
  program::for_each_definition(function, i, [&](Slot, uint32_t count) { slots += count; });
  return slots;
}

// Is the result of arithmetic as unknown as the value? Not where some bits of it are known.
bool carries(const Instruction& i, Slot value) {
  switch (i.op) {
    case Opcode::AddI:
    case Opcode::SubI:
    case Opcode::PointerAdd: return i.a == value;
    case Opcode::PointerIndex: return i.a == value || i.b == value;
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Xor: return i.a != i.b && (i.a == value || i.b == value);
    default: return false;
  }
}

// A minimum, a maximum and a copied sign are bounded by the other operand.
bool bounds_result(FloatKind kind) {
  return kind == FloatKind::Minimum || kind == FloatKind::Maximum || kind == FloatKind::CopySign;
}

// Floating point, of values that fit a slot. It is wholly unknown, then, whatever bits the operand had.
bool carries_float(const Instruction& i, const Value& v) {
  if (i.width > 64) return false;
  switch (i.op) {
    case Opcode::FloatBinary: return (i.a == v.slot || i.b == v.slot) && !bounds_result(static_cast<FloatKind>(i.imm));
    case Opcode::FloatFused: return i.a == v.slot || i.b == v.slot || static_cast<Slot>(i.imm) == v.slot;
    case Opcode::FloatUnary: return i.a == v.slot;
    case Opcode::FloatConvert:
    case Opcode::FloatToInt: return i.a == v.slot && i.imm <= 64;
    case Opcode::IntToFloat: return i.a == v.slot && !v.masked && v.unknown >= mask_of(32);
    default: return false;
  }
}

// A product is as unknown as a factor that is wholly unknown, but for the zeros that the other one ends with. false:
// another operation, or a factor that leaves gaps between the products.
bool follow_product(const Instruction& i, Value& v) {
  const uint64_t all = mask_of(i.width);
  const bool whole = !v.masked && v.unknown == all;
  if (i.op == Opcode::Mul) {
    if (!whole || (i.a != v.slot && i.b != v.slot)) return false;
  } else {
    const auto by = static_cast<uint64_t>(i.imm);
    if (i.op != Opcode::MulI || i.a != v.slot || by == 0 || (!whole && !std::has_single_bit(by))) return false;
    v.unknown = v.unknown << std::countr_zero(by) & all;
    v.known = v.known << std::countr_zero(by) & all;
    v.masked |= by % 2 == 0;
  }
  v.slot = i.dst;
  return true;
}

// Of the quotients and remainders by a constant, those that are not negative and below a power of two. false: another
// operation, or not every number up to a power of two is divided.
bool follow_division(const Instruction& i, Value& v) {
  const bool low_bits = v.known == 0 && (v.unknown & (v.unknown + 1)) == 0;
  if (i.a != v.slot || !low_bits || i.imm <= 0) return false;
  const auto by = static_cast<uint64_t>(i.imm);
  const uint64_t positive = mask_of(i.width) >> 1, top = std::min(v.unknown, positive);
  const auto below = [&](uint64_t most) { v.unknown = std::bit_floor(most + 1) - 1; };
  switch (i.op) {
    case Opcode::SDivI:
    case Opcode::UDivI: below(top / by); break;
    case Opcode::SRemI:
      if (by > positive) return false;  // a negative one
      [[fallthrough]];
    case Opcode::URemI: below(std::min(by - 1, top)); break;
    default: return false;
  }
  v.masked = true;
  v.slot = i.dst;
  return true;
}

// Operations on single bits by a constant. false: another operation.
bool follow_bits(const Instruction& i, Value& v) {
  if (i.a != v.slot) return false;
  const auto constant = static_cast<uint64_t>(i.imm);
  const uint32_t shift = static_cast<uint32_t>(i.imm) & 63;
  switch (i.op) {
    case Opcode::Move: break;
    case Opcode::SignExtend:
      if (v.unknown >> (i.imm - 1) & 1) v.unknown |= mask_of(i.width) & ~mask_of(static_cast<uint32_t>(i.imm));
      if (v.known >> (i.imm - 1) & 1) v.known |= mask_of(i.width) & ~mask_of(static_cast<uint32_t>(i.imm));
      break;
    case Opcode::Truncate:
      v.unknown &= mask_of(i.width);
      v.known &= mask_of(i.width);
      v.narrowed = true;
      break;
    case Opcode::XorI: v.known ^= constant & ~v.unknown; break;
    case Opcode::AndI:
      v.unknown &= constant;
      v.known &= constant;
      v.masked = true;
      break;
    case Opcode::OrI:
      v.unknown &= ~constant;
      v.known |= constant;
      v.masked = true;
      break;
    case Opcode::ShlI:
      v.unknown = v.unknown << shift & mask_of(i.width);
      v.known = v.known << shift & mask_of(i.width);
      v.masked = true;
      break;
    case Opcode::LShrI:
      v.unknown >>= shift;
      v.known >>= shift;
      v.masked = true;
      break;
    default: return false;
  }
  v.slot = i.dst;
  return true;
}

class Uses {
 public:
  explicit Uses(Image& image) : image_(image) {}

  void mark(uint32_t f) {
    const program::Function& function = function_of(f);
    target_.assign(function.code.size() + 1, false);
    for (const Instruction& i : function.code)
      program::for_each_target(function, i, [&](uint32_t target) { target_[target] = true; });
    for (uint32_t n = 0; n < function.code.size(); ++n) {
      const Instruction& i = function.code[n];
      const bool load = i.op == Opcode::Load && i.width <= 64;
      const bool call = (i.op == Opcode::Call || i.op == Opcode::CallIndirect) && results_of(function, i) == 1;
      const bool atomic = (i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicUpdate) && i.width <= 64;
      if (!load && !call && !atomic) continue;
      const uint32_t width = call ? 64 : i.width;
      const Fate fate = follow(f, n + 1, {i.dst, mask_of(width)}, 0);
      uint8_t flags = fate.decides ? kDecides : fate.returned ? kResult : uint8_t{0};
      if (fate.quiet) flags |= kQuiet;
      if (!atomic && is_copied(function, n, load ? i.width : 0)) flags |= kCopies;
      image_.code[image_.decoded_of[image_.functions[f].original + n]].flags |= flags;
    }
  }

 private:
  static constexpr uint32_t kStepsMost = 24, kDepthMost = 3;

  const program::Function& function_of(uint32_t f) const { return image_.program->function(FunctionId(f)); }

  Fate follow(uint32_t f, uint32_t n, Value v, uint32_t depth) {
    const program::Function& function = function_of(f);
    bool quiet = true;  // nothing was stored or called
    for (uint32_t steps = 0; steps < kStepsMost && n < function.code.size() && v.unknown != 0; ++steps) {
      const Instruction& i = function.code[n];
      if (i.op == Opcode::Jump) {
        n = i.dst;
        continue;
      }
      if (is_comparison(i.op) && i.a == v.slot && v.masked) return {.decides = depends(i, v)};
      if (decides(f, i, v)) return {.decides = true};
      if (i.op == Opcode::Return) {
        const bool same = i.b == 1 && i.a == v.slot && !v.masked && !v.narrowed;
        if (same && f == image_.main_function) return {.decides = true};  // the exit status
        return {.returned = same, .quiet = same && quiet};
      }
      if (program::is_terminator(i.op)) return {};
      if (i.op == Opcode::Call || i.op == Opcode::CallIndirect) {
        const Fate inside = given_to(f, i, v, depth);
        if (inside.decides) return {.decides = true};
        if (inside.returned) {
          v.slot = i.dst;
          quiet &= inside.quiet;
          ++n;
          continue;
        }
        quiet = false;
      }
      quiet &= i.op != Opcode::Store && i.op != Opcode::MemoryCopy && i.op != Opcode::MemorySet &&
               !(i.op >= Opcode::AtomicLoad && i.op <= Opcode::Fence);
      if (carries_float(i, v))
        v = {i.dst, mask_of(i.width)};
      else if (!v.masked && carries(i, v.slot))
        v.slot = i.dst;
      else if (!follow_product(i, v) && !follow_division(i, v) && !follow_bits(i, v) && defines(function, i, v.slot))
        return {};
      ++n;
    }
    return {};
  }

  // Does a comparison with a constant depend on the unknown bits of a masked value?
  static bool depends(const Instruction& i, const Value& v) {
    const uint64_t all = mask_of(i.width), sign = all ^ all >> 1;
    const uint64_t constant = static_cast<uint64_t>(i.imm) & all, known = v.known & ~v.unknown & all;
    const uint64_t unknown = v.unknown & all;
    switch (i.op) {
      case Opcode::CmpEqI:
      case Opcode::CmpNeI: return (constant & ~unknown) == known;
      case Opcode::CmpULtI:
      case Opcode::CmpUGeI: return known < constant && (known | unknown) >= constant;
      case Opcode::CmpULeI:
      case Opcode::CmpUGtI: return known <= constant && (known | unknown) > constant;
      default: break;
    }
    // With the sign turned around, signed numbers are in the order of unsigned ones.
    const uint64_t bound = constant ^ sign, least = (known | (unknown & sign)) ^ sign;
    const uint64_t most = (known | (unknown & ~sign)) ^ sign;
    switch (i.op) {
      case Opcode::CmpSLtI:
      case Opcode::CmpSGeI: return least < bound && most >= bound;
      case Opcode::CmpSLeI:
      case Opcode::CmpSGtI: return least <= bound && most > bound;
      default: return false;
    }
  }

  bool decides(uint32_t f, const Instruction& i, const Value& v) const {
    const bool reads_a = i.a == v.slot;
    if (i.op == Opcode::Branch && reads_a) return (v.known & ~v.unknown) == 0;
    if (i.op == Opcode::Switch && reads_a) return true;
    if (is_given_to_library(f, i, v.slot)) return true;
    if (v.masked) return false;
    // Predicates 0 and 15 of LLVM are false and true.
    if (i.op == Opcode::FloatCompare && i.width <= 64 && i.imm % 15 != 0) return reads_a || i.b == v.slot;
    return (is_comparison(i.op) && (reads_a || (!is_immediate(i) && i.b == v.slot))) ||
           (i.op == Opcode::Select && reads_a) ||
           ((i.op == Opcode::Load || i.op == Opcode::Store || i.op == Opcode::CallIndirect) && reads_a);
  }

  // What a library model is given it prints, or decides by.
  bool is_given_to_library(uint32_t f, const Instruction& i, Slot slot) const {
    if (i.op != Opcode::Call) return false;
    const program::Binding binding = image_.program->binding(FunctionId(f), program::SymbolId(i.a));
    if (binding.kind != program::BindingKind::External || image_.externals[binding.id].kind != Callee::Kind::Builtin)
      return false;
    const auto& arguments = function_of(f).calls[static_cast<size_t>(i.imm)].arguments;
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const program::Argument& a) { return a.by_value == 0 && a.slots == 1 && a.slot == slot; });
  }

  // The value as an argument of a function of the program.
  Fate given_to(uint32_t f, const Instruction& i, const Value& v, uint32_t depth) {
    if (i.op != Opcode::Call || v.masked || v.narrowed || depth == kDepthMost) return {};
    const program::Binding binding = image_.program->binding(FunctionId(f), program::SymbolId(i.a));
    if (binding.kind != program::BindingKind::Function) return {};
    uint32_t slot = 0;
    for (const program::Argument& a : function_of(f).calls[static_cast<size_t>(i.imm)].arguments) {
      if (slot >= function_of(binding.id).parameter_slots) return {};
      if (a.slot == v.slot && a.slots == 1 && a.by_value == 0) return parameter(binding.id, slot, depth + 1);
      slot += a.slots;
    }
    return {};
  }

  Fate parameter(uint32_t f, Slot slot, uint32_t depth) {
    const auto [known, made] = parameters_.try_emplace({f, slot});
    if (made) known->second = follow(f, 0, {slot, ~uint64_t{0}}, depth);
    return known->second;
  }

  // Is it stored at once, as it is or with something added, but for the computation of the address and of what is added?
  // What was never written there stays so in what is stored. `width` 0: any.
  bool is_copied(const program::Function& function, uint32_t start, uint32_t width) const {
    constexpr uint32_t kStepsBetween = 12;
    Slot value = function.code[start].dst;
    for (uint32_t n = start + 1; n < function.code.size() && n <= start + kStepsBetween && !target_[n]; ++n) {
      const Instruction& i = function.code[n];
      const bool whole = width != 0 && i.width == width;
      if (whole && (carries(i, value) || carries_float(i, {value, mask_of(width)}))) {
        value = i.dst;
        continue;
      }
      if (i.op == Opcode::Store) return i.b == value && (width == 0 ? i.width <= 64 : i.width == width);
      if (i.op == Opcode::Load && width != 0 && i.width <= 64 && i.dst != value) continue;  // of what is added
      const bool address = i.op == Opcode::PointerAdd || i.op == Opcode::PointerIndex || i.op == Opcode::SignExtend ||
                           i.op == Opcode::Const || i.op == Opcode::SymbolAddress ||
                           (width == 0 && i.op == Opcode::Jump && i.dst == n + 1);
      if (!address || defines(function, i, value)) return false;
    }
    return false;
  }

  Image& image_;
  std::vector<bool> target_;
  std::map<std::pair<uint32_t, Slot>, Fate> parameters_;
};

}  // namespace

void mark_unwritten_uses(Image& image) {
  Uses uses(image);
  for (uint32_t f = 0; f < image.function_count(); ++f) uses.mark(f);
}

}  // namespace heddle::machine
