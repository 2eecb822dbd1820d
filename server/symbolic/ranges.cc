#include "server/symbolic/ranges.h"

#include <algorithm>
#include <bit>

#include "server/symbolic/arithmetic.h"

namespace heddle::symbolic {
namespace {

uint64_t sign_of(unsigned width) { return uint64_t{1} << (width - 1); }
Range between(uint64_t least, uint64_t most) { return {least, most, 0, 0}; }
Range with_bits(uint64_t zeros, uint64_t ones, unsigned width) {
  const uint64_t mask = mask_of(width);
  return {ones & mask, ~zeros & mask, zeros | ~mask, ones & mask};
}

// The least value from `from` on that has these bits; false: there is none.
bool next_with_bits(uint64_t from, uint64_t zeros, uint64_t ones, uint64_t& found) {
  const uint64_t wrong = (from & zeros) | (~from & ones);
  if (wrong == 0) {
    found = from;
    return true;
  }
  unsigned highest = 63u - static_cast<unsigned>(std::countl_zero(wrong));
  const uint64_t at = uint64_t{1} << highest;
  uint64_t above = highest == 63 ? 0 : ~uint64_t{0} << (highest + 1);
  if ((ones & at) != 0) {  // a 0 that has to be 1: what is below becomes the least
    found = (from & above) | at | (ones & (at - 1));
    return true;
  }
  // A 1 that has to be 0: an open 0 above it becomes 1.
  const uint64_t open = ~from & ~zeros & above;
  if (open == 0) return false;
  const uint64_t carried = open & (~open + 1);
  found = (from & ~(carried | (carried - 1))) | carried | (ones & (carried - 1));
  return true;
}

bool greatest_with_bits(uint64_t from, uint64_t zeros, uint64_t ones, uint64_t& found) {
  uint64_t mirrored = 0;
  if (!next_with_bits(~from, ones, zeros, mirrored)) return false;
  found = ~mirrored;
  return true;
}

Range sum(const Range& a, const Range& b, unsigned width) {
  const uint64_t mask = mask_of(width);
  const bool least_wraps = a.least > mask - b.least, most_wraps = a.most > mask - b.most;
  if (least_wraps != most_wraps) return range_of_all(width);
  return between((a.least + b.least) & mask, (a.most + b.most) & mask);
}

Range difference(const Range& a, const Range& b, unsigned width) {
  const uint64_t mask = mask_of(width);
  if ((a.least < b.most) != (a.most < b.least)) return range_of_all(width);
  return between((a.least - b.most) & mask, (a.most - b.least) & mask);
}

// The lowest bits of a sum are known as far as those of both operands are.
Range low_bits(Operation operation, const Range& a, const Range& b, unsigned width) {
  const uint64_t known = (a.zeros | a.ones) & (b.zeros | b.ones);
  const unsigned count = static_cast<unsigned>(std::countr_one(known));
  if (count == 0) return range_of_all(width);
  const uint64_t mask = mask_of(std::min(count, width));
  const uint64_t value = operation == Operation::Add        ? a.ones + b.ones
                         : operation == Operation::Subtract ? a.ones - b.ones
                                                            : a.ones * b.ones;
  return with_bits(~value & mask, value & mask, width);
}

// A product has the zeros that its factors end in.
Range last_zeros(const Range& a, const Range& b, unsigned width) {
  const auto count = static_cast<unsigned>(std::countr_one(a.zeros) + std::countr_one(b.zeros));
  return with_bits(mask_of(std::min(count, width)), 0, width);
}

// The factor is two to this power; 0: it is not.
unsigned power_of(const Range& factor) {
  const bool power = factor.is_point() && std::has_single_bit(factor.least);
  return power ? static_cast<unsigned>(std::countr_zero(factor.least)) : 0;
}

Range product(const Range& a, const Range& b, unsigned width) {
  uint64_t most = 0;
  if (__builtin_mul_overflow(a.most, b.most, &most) || most > mask_of(width)) return range_of_all(width);
  return between(a.least * b.least, most);
}

Range quotient(const Range& a, const Range& b, unsigned width) {
  if (b.least == 0) return range_of_all(width);
  return between(a.least / b.most, a.most / b.least);
}

Range remainder(const Range& a, const Range& b, unsigned width) {
  if (b.least == 0) return range_of_all(width);
  if (b.is_point() && a.least / b.least == a.most / b.least) return between(a.least % b.least, a.most % b.least);
  return between(0, std::min(a.most, b.most - 1));
}

Range bitwise(Operation operation, const Range& a, const Range& b, unsigned width) {
  Range result;
  switch (operation) {
    case Operation::And: result = with_bits(a.zeros | b.zeros, a.ones & b.ones, width); break;
    case Operation::Or: result = with_bits(a.zeros & b.zeros, a.ones | b.ones, width); break;
    default:
      result = with_bits((a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros), width);
  }
  if (operation == Operation::And) result.most = std::min({result.most, a.most, b.most});
  if (operation == Operation::Or) result.least = std::max({result.least, a.least, b.least});
  return result;
}

// By a number of bits below the width.
Range shifted_left(const Range& a, uint64_t by, unsigned width) {
  const Range bits = with_bits(a.zeros << by | mask_of(static_cast<unsigned>(by)), a.ones << by, width);
  if (a.most > mask_of(width) >> by) return bits;
  return common(bits, between(a.least << by, a.most << by));
}

Range shifted_right(const Range& a, const Range& b, unsigned width) {
  if (b.most >= width) return between(0, a.most);
  Range result = between(a.least >> b.most, a.most >> b.least);
  if (b.is_point()) result = common(result, with_bits(~(~a.zeros >> b.least), a.ones >> b.least, width));
  return result;
}

Range truth(bool surely, bool never) { return between(surely ? 1 : 0, never ? 0 : 1); }

// In the order of signed numbers. All: on both sides of zero.
Range by_sign(const Range& a, unsigned width) {
  const uint64_t sign = sign_of(width);
  if ((a.least & sign) != (a.most & sign)) return between(0, mask_of(width));
  return between(a.least ^ sign, a.most ^ sign);
}

bool is_negative_nowhere(const Range& a, unsigned width) { return a.most < sign_of(width); }

Range less(const Range& a, const Range& b) { return truth(a.most < b.least, a.least >= b.most); }

Range equal(const Range& a, const Range& b) {
  const bool never = a.most < b.least || b.most < a.least || ((a.zeros & b.ones) | (a.ones & b.zeros)) != 0;
  return truth(false, never);
}

Range binary_range(const Shape& shape, const Range& a, const Range& b) {
  const unsigned width = shape.width;
  const bool no_sign = is_negative_nowhere(a, width) && is_negative_nowhere(b, width);
  switch (const Operation operation = shape.node->operation) {
    case Operation::Add: return common(sum(a, b, width), low_bits(operation, a, b, width));
    case Operation::Subtract: return common(difference(a, b, width), low_bits(operation, a, b, width));
    case Operation::Multiply:
      if (const unsigned by = power_of(b)) return shifted_left(a, by, width);
      return common(product(a, b, width), common(low_bits(operation, a, b, width), last_zeros(a, b, width)));
    case Operation::UnsignedDivide: return quotient(a, b, width);
    case Operation::UnsignedRemainder: return remainder(a, b, width);
    case Operation::SignedDivide: return no_sign ? quotient(a, b, width) : range_of_all(width);
    case Operation::SignedRemainder: return no_sign ? remainder(a, b, width) : range_of_all(width);
    case Operation::ShiftLeft:
      return b.is_point() && b.least < width ? shifted_left(a, b.least, width) : range_of_all(width);
    case Operation::LogicalShiftRight: return shifted_right(a, b, width);
    case Operation::ArithmeticShiftRight: return no_sign ? shifted_right(a, b, width) : range_of_all(width);
    case Operation::Equal: return equal(a, b);
    case Operation::UnsignedLess: return less(a, b);
    case Operation::SignedLess: return less(by_sign(a, width), by_sign(b, width));
    default: return bitwise(operation, a, b, width);
  }
}

Range sign_extended(const Range& a, unsigned width, unsigned to) {
  if (((a.least ^ a.most) & sign_of(width)) != 0) return range_of_all(to);
  const uint64_t above = (a.most & sign_of(width)) != 0 ? mask_of(to) & ~mask_of(width) : 0;
  return between(a.least | above, a.most | above);
}

Range extracted(const Range& a, uint64_t low, unsigned width) {
  const Range bits = with_bits(a.zeros >> low, a.ones >> low, width);
  const uint64_t least = a.least >> low, most = a.most >> low, mask = mask_of(width);
  if ((least & ~mask) != (most & ~mask)) return bits;
  return common(bits, between(least & mask, most & mask));
}

Range either(const Range& a, const Range& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most), a.zeros & b.zeros, a.ones & b.ones};
}

// ---- backwards ----

bool narrow(Range& operand, const Range& to) {
  operand = common(operand, to);
  return !operand.is_empty();
}

bool apart(Range& a, const Range& b) {
  if (!b.is_point()) return true;
  if (a.least == b.least) {
    if (a.is_point()) return false;
    return narrow(a, between(a.least + 1, a.most));
  }
  if (a.most == b.least) return narrow(a, between(a.least, a.most - 1));
  return true;
}

// a < b, or a <= b.
bool ordered(Range& a, Range& b, bool strictly) {
  const uint64_t step = strictly ? 1 : 0;
  if (b.most < step) return false;
  if (!narrow(a, between(0, b.most - step)) || a.least > ~uint64_t{0} - step) return false;
  return narrow(b, between(a.least + step, ~uint64_t{0}));
}

// The same where negative numbers come first: as far as an operand lies on one side of zero.
bool ordered_by_sign(Range& a, Range& b, bool strictly, unsigned width) {
  const uint64_t sign = sign_of(width), mask = mask_of(width);
  Range x = by_sign(a, width), y = by_sign(b, width);
  if (!ordered(x, y, strictly)) return false;
  const auto back = [&](const Range& from, Range& to) {
    if ((from.least & sign) != (from.most & sign)) return true;
    return narrow(to, between((from.least ^ sign) & mask, (from.most ^ sign) & mask));
  };
  return back(x, a) && back(y, b);
}

bool compared_backwards(const Shape& shape, bool holds, Range& a, Range& b) {
  switch (shape.node->operation) {
    case Operation::Equal:
      if (holds) return narrow(a, b) && narrow(b, a);
      return apart(a, b) && apart(b, a);
    case Operation::UnsignedLess: return holds ? ordered(a, b, true) : ordered(b, a, false);
    default: return holds ? ordered_by_sign(a, b, true, shape.width) : ordered_by_sign(b, a, false, shape.width);
  }
}

bool bits_backwards(Operation operation, const Range& result, Range& a, const Range& b, unsigned width) {
  const uint64_t mask = mask_of(width);
  uint64_t zeros = 0, ones = 0;
  switch (operation) {
    case Operation::And:
      ones = result.ones;
      zeros = result.zeros & b.ones;
      break;
    case Operation::Or:
      zeros = result.zeros;
      ones = result.ones & b.zeros;
      break;
    default:
      zeros = (result.zeros & b.zeros) | (result.ones & b.ones);
      ones = (result.zeros & b.ones) | (result.ones & b.zeros);
  }
  return narrow(a, with_bits(zeros & mask, ones & mask, width));
}

// A factor of a product by 2^shift lost its highest bits.
bool shifted_left_backwards(const Range& result, Range& a, uint64_t shift, unsigned width) {
  const uint64_t mask = mask_of(width), kept = mask >> shift;
  if ((result.ones & mask_of(static_cast<unsigned>(shift))) != 0) return false;
  return narrow(a, with_bits((result.zeros & mask) >> shift & kept, (result.ones >> shift) & kept, width));
}

bool factor_backwards(const Range& result, Range& a, const Range& by, unsigned width) {
  if (!by.is_point() || by.least == 0) return true;
  if (const unsigned shift = power_of(by); shift != 0 && !shifted_left_backwards(result, a, shift, width)) return false;
  if (result.is_point() && by.least % 2 == 1)
    return narrow(a, range_of((result.least * inverse_of(by.least)) & mask_of(width)));
  uint64_t most = 0;
  if (__builtin_mul_overflow(a.most, by.least, &most) || most > mask_of(width)) return true;
  return narrow(a, between(result.least / by.least + (result.least % by.least != 0), result.most / by.least));
}

bool dividend_backwards(const Range& result, Range& a, const Range& by, unsigned width) {
  if (!by.is_point() || by.least == 0) return true;
  const uint64_t mask = mask_of(width);
  uint64_t least = 0, most = 0;
  if (__builtin_mul_overflow(result.least, by.least, &least) || least > mask) return false;
  if (__builtin_mul_overflow(result.most, by.least, &most) || most > mask - (by.least - 1))
    most = mask;
  else
    most += by.least - 1;
  return narrow(a, between(least, most));
}

bool remainder_backwards(const Range& result, Range& a, const Range& by) {
  if (!by.is_point() || by.least == 0 || result.most >= by.least) return true;
  // The first and the last block of the range may begin or end within it.
  const uint64_t first = a.least / by.least * by.least, last = a.most / by.least * by.least;
  uint64_t least = a.least, most = a.most;
  if (a.least - first > result.most) {
    if (first == last) return false;
    least = first + by.least + result.least;  // in the next block, which exists
  } else {
    least = std::max(least, first + result.least);
  }
  if (a.most - last < result.least) {
    if (first == last) return false;
    most = last - by.least + result.most;
  } else {
    most = std::min(most, last + result.most);
  }
  return least <= most && narrow(a, between(least, most));
}

bool shift_backwards(const Shape& shape, const Range& result, Range& a, const Range& by) {
  const unsigned width = shape.width;
  if (!by.is_point() || by.least >= width) return true;
  const uint64_t mask = mask_of(width);
  if (shape.node->operation == Operation::ShiftLeft) return shifted_left_backwards(result, a, by.least, width);
  if (shape.node->operation == Operation::ArithmeticShiftRight && !is_negative_nowhere(a, width)) return true;
  if (result.most > mask >> by.least && result.least > mask >> by.least) return false;
  const uint64_t most = std::min(result.most, mask >> by.least);
  if (!narrow(a, between(result.least << by.least, most << by.least | mask_of(static_cast<unsigned>(by.least)))))
    return false;
  return narrow(a, with_bits(result.zeros << by.least & mask, result.ones << by.least & mask, width));
}

bool binary_backwards(const Shape& shape, const Range& result, Range& a, Range& b) {
  const unsigned width = shape.width;
  const bool no_sign = is_negative_nowhere(a, width) && is_negative_nowhere(b, width);
  switch (const Operation operation = shape.node->operation) {
    case Operation::Equal:
    case Operation::UnsignedLess:
    case Operation::SignedLess: return !result.is_point() || compared_backwards(shape, result.least != 0, a, b);
    case Operation::And:
    case Operation::Or:
    case Operation::Xor:
      return bits_backwards(operation, result, a, b, width) && bits_backwards(operation, result, b, a, width);
    case Operation::Add:
      return narrow(a, difference(result, b, width)) && narrow(b, difference(result, a, width)) &&
             narrow(a, low_bits(Operation::Subtract, result, b, width));
    case Operation::Subtract:
      return narrow(a, sum(result, b, width)) && narrow(b, difference(a, result, width)) &&
             narrow(a, low_bits(Operation::Add, result, b, width));
    case Operation::Multiply: return factor_backwards(result, a, b, width) && factor_backwards(result, b, a, width);
    case Operation::UnsignedDivide: return dividend_backwards(result, a, b, width);
    case Operation::UnsignedRemainder: return remainder_backwards(result, a, b);
    case Operation::SignedDivide: return !no_sign || dividend_backwards(result, a, b, width);
    case Operation::SignedRemainder: return !no_sign || remainder_backwards(result, a, b);
    default: return shift_backwards(shape, result, a, b);
  }
}

bool select_backwards(const Range& result, Operands& operands) {
  Range& condition = operands[0];
  if (common(operands[1], result).is_empty() && !narrow(condition, range_of(0))) return false;
  if (common(operands[2], result).is_empty() && !narrow(condition, range_of(1))) return false;
  if (!condition.is_point()) return true;
  return narrow(operands[condition.least != 0 ? 1 : 2], result);
}

bool sign_extension_backwards(const Range& result, Range& a, unsigned width, unsigned to) {
  const uint64_t sign = sign_of(width), mask = mask_of(width), above = mask_of(to) & ~mask;
  if (!narrow(a, with_bits(result.zeros & mask, result.ones & mask, width))) return false;
  if (result.most < sign) return narrow(a, between(result.least, result.most));
  if (((a.least ^ a.most) & sign) != 0) return true;
  if ((a.least & sign) == 0) return narrow(a, between(result.least, std::min(result.most, mask)));
  if (result.most < above) return false;
  return narrow(a, between(result.least < above ? sign : result.least & mask, result.most & mask));
}

}  // namespace

Range range_of_all(unsigned width) { return {0, mask_of(width), ~mask_of(width), 0}; }
Range range_of(uint64_t value) { return {value, value, ~value, value}; }

Range common(const Range& a, const Range& b) {
  Range both{std::max(a.least, b.least), std::min(a.most, b.most), a.zeros | b.zeros, a.ones | b.ones};
  const Range none{1, 0, 0, 0};
  if (both.is_empty() || (both.zeros & both.ones) != 0) return none;
  if ((both.zeros | both.ones) != 0) {
    if (!next_with_bits(both.least, both.zeros, both.ones, both.least)) return none;
    if (!greatest_with_bits(both.most, both.zeros, both.ones, both.most)) return none;
    if (both.is_empty()) return none;
  }
  const uint64_t differ = both.least ^ both.most;
  const uint64_t same = differ == 0 ? ~uint64_t{0} : ~(~uint64_t{0} >> std::countl_zero(differ));
  both.zeros |= ~both.least & same;
  both.ones |= both.least & same;
  return both;
}

Range forwards(const Shape& shape, const Operands& operands) {
  const Node& node = *shape.node;
  const size_t count = operands_of(node.operation);
  const auto [a, b, c] = operands;
  if (a.is_point() && (count < 2 || b.is_point()) && (count < 3 || c.is_point())) {
    const uint64_t values[3] = {a.least, b.least, c.least};
    return range_of(result_of(node, shape.width, shape.low_width, values));
  }
  const auto drawn_in = [&](const Range& range) { return common(range, range_of_all(node.width)); };
  switch (node.operation) {
    case Operation::Select:
      if (a.is_point()) return a.least != 0 ? b : c;
      return drawn_in(either(b, c));
    case Operation::ZeroExtend: return a;
    case Operation::SignExtend: return drawn_in(sign_extended(a, shape.width, node.width));
    case Operation::Extract: return drawn_in(extracted(a, node.value, node.width));
    case Operation::Concatenate: {
      const uint64_t mask = mask_of(shape.low_width);
      const Range bits =
          with_bits(a.zeros << shape.low_width | (b.zeros & mask), a.ones << shape.low_width | b.ones, node.width);
      return common(bits, between(a.least << shape.low_width | b.least, a.most << shape.low_width | b.most));
    }
    default: return drawn_in(binary_range(shape, a, b));
  }
}

bool backwards(const Shape& shape, const Range& result, Operands& operands) {
  const Node& node = *shape.node;
  Range& a = operands[0];
  switch (node.operation) {
    case Operation::Constant:
    case Operation::Input: return true;
    case Operation::Select: return select_backwards(result, operands);
    case Operation::ZeroExtend: return narrow(a, result);
    case Operation::SignExtend: return sign_extension_backwards(result, a, shape.width, node.width);
    case Operation::Extract: {
      const uint64_t mask = mask_of(node.width) << node.value;
      return narrow(a, with_bits(result.zeros << node.value & mask, result.ones << node.value & mask, shape.width));
    }
    case Operation::Concatenate: {
      const uint64_t mask = mask_of(shape.low_width);
      if (!narrow(a, between(result.least >> shape.low_width, result.most >> shape.low_width)) ||
          !narrow(a, with_bits(~(~result.zeros >> shape.low_width) & mask_of(shape.width),
                               result.ones >> shape.low_width, shape.width)) ||
          !narrow(operands[1], with_bits(result.zeros & mask, result.ones & mask, shape.low_width)))
        return false;
      if ((result.least ^ result.most) & ~mask) return true;
      return narrow(operands[1], between(result.least & mask, result.most & mask));
    }
    default: return binary_backwards(shape, result, a, operands[1]);
  }
}

}  // namespace heddle::symbolic
