// Operations on the bits of unknown values: counts, reversals, rotations, arithmetic that saturates; and how many bytes
// are moved where that depends on an input.
#include "server/machine/symbolic/values.h"

namespace heddle::machine {

using program::Instruction;
using program::OverflowKind;
using program::UnaryKind;
using Kind = symbolic::Operation;

Expression SymbolicValues::bit(Expression e, uint32_t n) { return symbols_.pool().extract(n, 1, e); }

Expression SymbolicValues::counted_bits(Expression e, uint32_t width) {
  Expression sum = number(width, 0);
  for (uint32_t n = 0; n < width; ++n) sum = binary(Kind::Add, sum, resized(bit(e, n), width));
  return sum;
}

// The place of the lowest or highest bit that is set, from that end; the width if there is none.
Expression SymbolicValues::first_bit(Expression e, uint32_t width, bool lowest) {
  Expression place = number(width, width);
  for (uint32_t n = width; n-- > 0;)
    place = symbols_.pool().select(bit(e, lowest ? n : width - 1 - n), number(width, n), place);
  return place;
}

// Parts of `size` bits in the other order.
Expression SymbolicValues::reversed(Expression e, uint32_t width, uint32_t size) {
  Expression result = symbols_.pool().extract(0, size, e);
  for (uint32_t low = size; low < width; low += size)
    result = symbols_.pool().concatenate(result, symbols_.pool().extract(low, size, e));
  return result;
}

Expression SymbolicValues::unary(UnaryKind kind, Expression a, uint32_t width) {
  const Expression zero = number(width, 0);
  switch (kind) {
    case UnaryKind::PopulationCount: return counted_bits(a, width);
    case UnaryKind::LeadingZeros: return first_bit(a, width, false);
    case UnaryKind::TrailingZeros: return first_bit(a, width, true);
    case UnaryKind::ByteSwap: return reversed(a, width, 8);
    case UnaryKind::BitReverse: return reversed(a, width, 1);
    case UnaryKind::Absolute:
      return symbols_.pool().select(binary(Kind::SignedLess, a, zero), binary(Kind::Subtract, zero, a), a);
  }
  return {};
}

// Number 0: this one has no expression.
Expression SymbolicValues::saturating(const Instruction& i) {
  const auto kind = static_cast<OverflowKind>(i.imm);
  const bool adds = kind == OverflowKind::SAdd || kind == OverflowKind::UAdd;
  const bool with_sign = kind == OverflowKind::SAdd || kind == OverflowKind::SSub;
  if (!adds && kind != OverflowKind::SSub && kind != OverflowKind::USub) return {};
  const uint32_t width = i.width;
  const Expression a = value(i.a, width), b = value(i.b, width);
  const Expression result = binary(adds ? Kind::Add : Kind::Subtract, a, b);
  if (!with_sign) {
    const Expression overflow = binary(Kind::UnsignedLess, adds ? result : a, adds ? a : b);
    return symbols_.pool().select(overflow, number(width, adds ? ~uint64_t{0} : 0), result);
  }
  const Expression same = adds ? binary(Kind::Xor, b, result) : binary(Kind::Xor, a, b);
  const Expression overflow = bit(binary(Kind::And, binary(Kind::Xor, a, result), same), width - 1);
  const Expression least = number(width, uint64_t{1} << (width - 1));
  const Expression most = number(width, (uint64_t{1} << (width - 1)) - 1);
  return symbols_.pool().select(overflow, symbols_.pool().select(bit(a, width - 1), least, most), result);
}

// Of a width that is a power of two.
Expression SymbolicValues::funnel_shift(const Instruction& i) {
  const uint32_t width = i.width;
  const bool right = (i.flags & 1) != 0;
  const Expression a = value(i.a, width), b = value(i.b, width);
  const Expression by = binary(Kind::And, value(static_cast<uint32_t>(i.imm), width), number(width, width - 1));
  const Expression rest = binary(Kind::Subtract, number(width, width), by);
  const Expression high = binary(Kind::ShiftLeft, a, right ? rest : by);
  const Expression low = binary(Kind::LogicalShiftRight, b, right ? by : rest);
  return symbols_.pool().select(binary(Kind::Equal, by, number(width, 0)), right ? b : a, binary(Kind::Or, high, low));
}

bool SymbolicValues::apply_bits(const Instruction& i) {
  if (i.width > 64) return false;
  const bool two = depends(i.a) || depends(i.b);
  Expression result;
  if (i.op == program::Opcode::Unary && depends(i.a))
    result = unary(static_cast<UnaryKind>(i.imm), value(i.a, i.width), i.width);
  else if (i.op == program::Opcode::Saturating && two)
    result = saturating(i);
  else if (i.op == program::Opcode::FunnelShift && (two || depends(static_cast<uint32_t>(i.imm))) &&
           (i.width & (i.width - 1)) == 0)
    result = funnel_shift(i);
  if (result.number == 0) return false;
  define(i.dst, result);
  return true;
}

// ---- how many bytes are moved ----

uint64_t SymbolicValues::room(const Decoded& d) {
  const uint64_t* const r = thread_.stack + thread_.fp;
  const auto left = [&](uint64_t at, uint32_t size) {
    const auto offset = static_cast<uint32_t>(at);
    return offset < size ? uint64_t{size} - offset : 0;
  };
  const uint64_t to = left(r[d.a], state_.memory_.find(r[d.a])->write_size);
  return d.code == Code::MemorySet ? to : std::min(to, left(r[d.b], state_.memory_.find(r[d.b])->size));
}

// Each count for which there is room, then any other; if these are too many, any for which there is no room, the first
// ones, and any other for which there is room.
std::vector<Expression> SymbolicValues::counts(const Decoded& d) {
  constexpr uint64_t kCountsMost = 62;
  const Expression count = value(static_cast<uint32_t>(d.imm), 64);
  const uint64_t most = room(d);
  std::vector<Expression> outcomes;
  Expression other = number(1, 1);
  for (uint64_t n = 0; n <= most && n + (most > kCountsMost ? 1 : 0) <= kCountsMost; ++n) {
    outcomes.push_back(binary(Kind::Equal, count, number(64, n)));
    other = binary(Kind::And, other, negation(outcomes.back()));
  }
  if (most > kCountsMost) {
    const Expression too_many = binary(Kind::UnsignedLess, number(64, most), count);
    outcomes.insert(outcomes.begin(), too_many);
    other = binary(Kind::And, other, negation(too_many));
  }
  outcomes.push_back(other);
  return outcomes;
}

// If no count that is left has room, whichever is taken is the same fault.
void SymbolicValues::apply_move() {
  const Decoded& d = operation_;
  const auto count = static_cast<uint32_t>(d.imm);
  make_concrete(d.a);
  make_concrete(d.b);
  if (!depends(count)) return;
  const Expression inside = negation(binary(Kind::UnsignedLess, number(64, room(d)), value(count, 64)));
  if (symbols_.can_hold(inside)) make_concrete(count);
}

}  // namespace heddle::machine
