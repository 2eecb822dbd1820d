#include "server/symbolic/arithmetic.h"

namespace heddle::symbolic {
namespace {

uint64_t signed_quotient(unsigned width, uint64_t left, uint64_t right) {
  int64_t a = as_signed(width, left);
  int64_t b = as_signed(width, right);
  if (b == 0) return a < 0 ? 1 : ~uint64_t{0};
  if (b == -1) return uint64_t{0} - left;
  return static_cast<uint64_t>(a / b);
}

uint64_t signed_remainder(unsigned width, uint64_t left, uint64_t right) {
  int64_t a = as_signed(width, left);
  int64_t b = as_signed(width, right);
  if (b == 0) return left;
  if (b == -1) return 0;
  return static_cast<uint64_t>(a % b);
}

uint64_t arithmetic_shift(unsigned width, uint64_t left, uint64_t right) {
  unsigned distance = right >= width ? width - 1 : static_cast<unsigned>(right);
  return static_cast<uint64_t>(as_signed(width, left) >> distance);
}

uint64_t unbounded_result(const Node& node, unsigned width, unsigned low_width, const uint64_t values[3]) {
  uint64_t a = values[0];
  uint64_t b = values[1];
  switch (node.operation) {
    case Operation::Constant:
    case Operation::Input: return node.value;
    case Operation::Add: return a + b;
    case Operation::Subtract: return a - b;
    case Operation::Multiply: return a * b;
    case Operation::UnsignedDivide: return b == 0 ? ~uint64_t{0} : a / b;
    case Operation::SignedDivide: return signed_quotient(width, a, b);
    case Operation::UnsignedRemainder: return b == 0 ? a : a % b;
    case Operation::SignedRemainder: return signed_remainder(width, a, b);
    case Operation::And: return a & b;
    case Operation::Or: return a | b;
    case Operation::Xor: return a ^ b;
    case Operation::ShiftLeft: return b >= width ? 0 : a << b;
    case Operation::LogicalShiftRight: return b >= width ? 0 : a >> b;
    case Operation::ArithmeticShiftRight: return arithmetic_shift(width, a, b);
    case Operation::Equal: return a == b ? 1 : 0;
    case Operation::UnsignedLess: return a < b ? 1 : 0;
    case Operation::SignedLess: return as_signed(width, a) < as_signed(width, b) ? 1 : 0;
    case Operation::Select: return a != 0 ? b : values[2];
    case Operation::ZeroExtend: return a;
    case Operation::SignExtend: return static_cast<uint64_t>(as_signed(width, a));
    case Operation::Extract: return a >> node.value;
    case Operation::Concatenate: return a << low_width | b;
  }
  return 0;
}

}  // namespace

int64_t as_signed(unsigned width, uint64_t value) {
  unsigned unused = 64 - width;
  return static_cast<int64_t>(value << unused) >> unused;
}

uint64_t result_of(const Node& node, unsigned width, unsigned low_width, const uint64_t values[3]) {
  return unbounded_result(node, width, low_width, values) & mask_of(node.width);
}

// Each step doubles the bits that are right.
uint64_t inverse_of(uint64_t odd) {
  uint64_t inverse = odd;
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

}  // namespace heddle::symbolic
