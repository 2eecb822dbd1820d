#include "server/machine/memory/partial.h"

#include <algorithm>
#include <bit>

namespace heddle::machine {

using program::FloatKind;
using program::Instruction;
using program::Opcode;

namespace {

uint64_t low_ones(uint32_t width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

// With the unwritten bits of either. What is unclear is not unwritten.
Partial made(uint64_t value, uint64_t unwritten, uint64_t unclear, const Partial& a, const Partial& b) {
  const uint32_t source = std::max(a.unwritten == 0 ? 0 : a.source, b.unwritten == 0 ? 0 : b.source);
  return {value & ~unwritten & ~unclear, unwritten & ~unclear, unclear, source};
}

bool is_whole(const Partial& v, uint32_t width) { return (v.unwritten & low_ones(width)) == low_ones(width); }

Partial whole(uint32_t width, const Partial& a, const Partial& b) { return made(0, low_ones(width), 0, a, b); }

Partial with_and(const Partial& a, const Partial& b) {
  const uint64_t in_doubt_a = a.unwritten | a.unclear, in_doubt_b = b.unwritten | b.unclear;
  const uint64_t open = (in_doubt_a & in_doubt_b) | (in_doubt_a & b.value) | (in_doubt_b & a.value);
  return made(a.value & b.value, open, open & (a.unclear | b.unclear), a, b);
}

Partial complement(const Partial& a) {
  return {~a.value & ~a.unwritten & ~a.unclear, a.unwritten, a.unclear, a.source};
}

Partial with_xor(const Partial& a, const Partial& b) {
  return made(a.value ^ b.value, a.unwritten | b.unwritten, a.unclear | b.unclear, a, b);
}

// A sum or a difference. Carries from unwritten bits make those above unclear.
Partial added(uint64_t value, uint32_t width, const Partial& a, const Partial& b) {
  const uint64_t all = low_ones(width), open = (a.unwritten | b.unwritten | a.unclear | b.unclear) & all;
  if (is_whole(a, width) || is_whole(b, width)) return whole(width, a, b);
  if (open == 0) return Partial::known(value & all);
  const uint64_t carried = ~(std::bit_floor(open & (0 - open)) - 1) & all;
  const uint64_t unwritten = (a.unwritten | b.unwritten) & ~(a.unclear | b.unclear) & all;
  const uint64_t unclear_from = (a.unclear | b.unclear) & all;
  const uint64_t below = unclear_from == 0 ? all : (unclear_from & (0 - unclear_from)) - 1;
  const uint64_t sure = unwritten & below;
  return made(value & all, sure, carried & ~sure, a, b);
}

Partial multiplied(uint32_t width, const Partial& a, const Partial& b) {
  const uint64_t all = low_ones(width);
  if (a.is_known() && b.is_known()) return Partial::known(a.value * b.value & all);
  const Partial& factor = a.is_known() ? a : b;
  const Partial& open = a.is_known() ? b : a;
  if (!factor.is_known()) return is_whole(a, width) || is_whole(b, width) ? whole(width, a, b) : Partial{0, 0, all, 0};
  if ((factor.value & all) == 0) return Partial::known(0);
  const auto by = static_cast<uint32_t>(std::countr_zero(factor.value & all));
  if (!is_whole(open, width) && !std::has_single_bit(factor.value & all)) return {0, 0, all, 0};
  return made(open.value << by & all, open.unwritten << by & all, open.unclear << by & all, open, open);
}

uint64_t shifted(Opcode op, uint64_t value, uint32_t by, uint32_t width) {
  if (op == Opcode::Shl) return value << by & low_ones(width);
  if (op == Opcode::LShr) return (value & low_ones(width)) >> by;
  const auto high = static_cast<int64_t>(value << (64 - width));
  return static_cast<uint64_t>(high >> (64 - width) >> by) & low_ones(width);
}

Partial shifted(Opcode op, uint32_t width, const Partial& a, const Partial& by) {
  if (!by.is_known() || by.value >= width || width > 64) return {0, 0, low_ones(width), 0};
  const auto move = [&](uint64_t bits) { return shifted(op, bits, static_cast<uint32_t>(by.value), width); };
  return made(move(a.value), move(a.unwritten), move(a.unclear), a, a);
}

// By a constant. Those that are not negative and below a power of two are all possible; what is above it is unclear.
Partial divided(Opcode op, uint32_t width, const Partial& a, const Partial& b) {
  const uint64_t all = low_ones(width), positive = all >> 1;
  const bool low_bits = a.unclear == 0 && a.value == 0 && (a.unwritten & (a.unwritten + 1)) == 0;
  const bool is_signed = op == Opcode::SDiv || op == Opcode::SRem;
  if (!b.is_known() || b.value == 0 || (is_signed && b.value > positive) || (!low_bits && !a.is_known()))
    return {0, 0, all, 0};
  const bool remainder = op == Opcode::SRem || op == Opcode::URem;
  if (a.is_known()) {
    if (is_signed && a.value > positive) return {0, 0, all, 0};
    return Partial::known(remainder ? a.value % b.value : a.value / b.value);
  }
  const bool negative = is_signed && a.unwritten > positive;
  const uint64_t top = negative ? positive : a.unwritten;
  const uint64_t most = remainder ? std::min(b.value - 1, top) : top / b.value;
  if (most == 0) return negative ? Partial{0, 0, all, 0} : Partial::known(0);
  const uint64_t sure = most == ~uint64_t{0} ? most : std::bit_floor(most + 1) - 1;
  const uint64_t possible = negative ? all : low_ones(static_cast<uint32_t>(std::bit_width(most)));
  return made(0, sure, possible & ~sure, a, a);
}

// In the order of numbers: with the sign turned around, signed numbers are in that of unsigned ones.
struct Range {
  uint64_t least, most;
};
Range range_of(const Partial& v, uint32_t width, bool is_signed) {
  const uint64_t all = low_ones(width), open = (v.unwritten | v.unclear) & all, value = v.value & all & ~open;
  if (!is_signed) return {value, value | open};
  const uint64_t sign = all ^ all >> 1;
  return {(value | (open & sign)) ^ sign, (value | (open & ~sign)) ^ sign};
}

// 1: holds; 0: does not; 2: depends on what is in doubt.
int outcome(Opcode op, uint32_t width, const Partial& a, const Partial& b) {
  const bool is_signed = op >= Opcode::CmpSLt;
  if (op == Opcode::CmpEq || op == Opcode::CmpNe) {
    const uint64_t open = a.unwritten | a.unclear | b.unwritten | b.unclear, all = low_ones(width);
    if (((a.value ^ b.value) & ~open & all) != 0) return op == Opcode::CmpNe;
    return (open & all) != 0 ? 2 : op == Opcode::CmpEq;
  }
  const Range x = range_of(a, width, is_signed), y = range_of(b, width, is_signed);
  const auto less = [](const Range& p, const Range& q) { return p.most < q.least ? 1 : p.least >= q.most ? 0 : 2; };
  switch (op) {
    case Opcode::CmpULt:
    case Opcode::CmpSLt: return less(x, y);
    case Opcode::CmpUGt:
    case Opcode::CmpSGt: return less(y, x);
    case Opcode::CmpULe:
    case Opcode::CmpSLe: return less(y, x) == 2 ? 2 : 1 - less(y, x);
    default: return less(x, y) == 2 ? 2 : 1 - less(x, y);
  }
}

Partial compared(Opcode op, uint32_t width, const Partial& a, const Partial& b) {
  const int found = outcome(op, width, a, b);
  if (found != 2) return Partial::known(static_cast<uint64_t>(found));
  const uint64_t all = low_ones(width);
  const bool clear = ((a.unclear | b.unclear) & all) == 0;
  if (clear || is_whole(a, width) || is_whole(b, width)) return made(0, 1, 0, a, b);
  return {0, 0, 1, 0};
}

Partial extended(const Instruction& i, const Partial& a) {
  const auto from = static_cast<uint32_t>(i.imm);
  const auto extend = [&](uint64_t bits) {
    return (bits >> (from - 1) & 1) != 0 ? (bits | ~low_ones(from)) & low_ones(i.width) : bits;
  };
  return made(extend(a.value), extend(a.unwritten), extend(a.unclear), a, a);
}

Partial chosen(const Partial& by, const Partial& a, const Partial& b) {
  if (by.is_known() || (by.value & ~by.unwritten & ~by.unclear) != 0) return by.value != 0 ? a : b;
  const uint64_t unclear = a.unclear | b.unclear;
  const uint64_t differs = ((a.value ^ b.value) & ~unclear) | a.unwritten | b.unwritten;
  if (by.unclear != 0) return {a.value & b.value, 0, unclear | differs, 0};
  return made(a.value & b.value, differs, unclear, by, by);
}

// A minimum, a maximum and a copied sign are bounded by the other operand.
bool bounds_result(const Instruction& i) {
  const auto kind = static_cast<FloatKind>(i.imm);
  return i.op == Opcode::FloatBinary &&
         (kind == FloatKind::Minimum || kind == FloatKind::Maximum || kind == FloatKind::CopySign);
}

// Floating point of values that fit a slot: wholly unknown if an operand is.
std::optional<Partial> floating(const Instruction& i, const Partial& a, const Partial& b, const Partial& c) {
  if (i.width > 64) return {};
  const auto from = static_cast<uint32_t>(i.imm);
  bool unknown = false;
  switch (i.op) {
    case Opcode::FloatBinary: unknown = !bounds_result(i) && (is_whole(a, i.width) || is_whole(b, i.width)); break;
    case Opcode::FloatFused:
      if (is_whole(c, i.width)) return whole(i.width, c, c);
      unknown = is_whole(a, i.width) || is_whole(b, i.width);
      break;
    case Opcode::FloatUnary: unknown = is_whole(a, i.width); break;
    case Opcode::FloatConvert:
    case Opcode::FloatToInt:
    case Opcode::IntToFloat: unknown = from <= 64 && from >= 32 && is_whole(a, from); break;
    case Opcode::FloatCompare:  // predicates 0 and 15 of LLVM are false and true
      if (i.imm % 15 == 0) return Partial::known(i.imm != 0);
      if (is_whole(a, i.width) || is_whole(b, i.width)) return made(0, 1, 0, a, b);
      return Partial{0, 0, 1, 0};
    default: return {};
  }
  if (unknown) return whole(i.width, a, b);
  return Partial{0, 0, low_ones(i.width), 0};
}

std::optional<Partial> addressed(const Instruction& i, const Partial& a, const Partial& b) {
  if (i.op == Opcode::PointerAdd) return added(a.value + static_cast<uint64_t>(i.imm), 64, a, {});
  if (a.unwritten != 0 || b.unwritten != 0) return whole(64, a, b);
  if (a.unclear != 0 || (b.unclear & low_ones(i.width)) != 0) return Partial::nothing_known();
  const uint64_t index = shifted(Opcode::AShr, b.value, 0, i.width);
  const auto narrow = static_cast<int64_t>(index << (64 - i.width)) >> (64 - i.width);
  return Partial::known(a.value + static_cast<uint64_t>(narrow) * static_cast<uint64_t>(i.imm));
}

}  // namespace

std::optional<Partial> partial_result(const Instruction& i, const Partial& a, const Partial& b, const Partial& c) {
  Opcode op = i.op;
  if (op >= Opcode::Add && op <= Opcode::CmpSGeI) {
    const auto place = static_cast<uint32_t>(op) - static_cast<uint32_t>(Opcode::Add);
    op = static_cast<Opcode>(static_cast<uint32_t>(Opcode::Add) + place / 2 * 2);
    const bool same = place % 2 == 0 && i.a == i.b && !a.is_known();
    if (same && (op == Opcode::Sub || op == Opcode::Xor)) return Partial::known(0);
    if (same && op != Opcode::And && op != Opcode::Or) return Partial{0, 0, low_ones(i.width), 0};
    if (i.width > 64) return {};
    if (op >= Opcode::CmpEq) return compared(op, i.width, a, b);
  }
  switch (op) {
    case Opcode::Const: return Partial::known(static_cast<uint64_t>(i.imm));
    case Opcode::Undefined: return Partial::known(0);
    case Opcode::Move: return a;
    case Opcode::Select: return chosen(a, b, c);
    case Opcode::Add: return added(a.value + b.value, i.width, a, b);
    case Opcode::Sub: return added(a.value - b.value, i.width, a, b);
    case Opcode::Mul: return multiplied(i.width, a, b);
    case Opcode::And: return with_and(a, b);
    case Opcode::Or: return complement(with_and(complement(a), complement(b)));
    case Opcode::Xor: return with_xor(a, b);
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr: return shifted(op, i.width, a, b);
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem: return divided(op, i.width, a, b);
    case Opcode::Truncate: return shifted(Opcode::LShr, i.width, a, {});
    case Opcode::SignExtend: return extended(i, a);
    case Opcode::PointerAdd:
    case Opcode::PointerIndex: return addressed(i, a, b);
    default: return floating(i, a, b, c);
  }
}

}  // namespace heddle::machine
