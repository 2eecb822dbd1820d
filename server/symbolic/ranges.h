// What is known of one value while others are open: a range, and bits. Follows operations forwards, from their operands
// to the result, and backwards, from what the result has to be to what an operand can be.
//
// In:      what is known of the operands, and of the result.
// Out:     what is known of the result; less of an operand. Both leave out only values that are impossible.
// Cost:    constant.
// Owns:    values.
// Threads: pure functions, callable anywhere.
// Fails:   never. Range::is_empty(): no value is possible.
// From:    ranges and known bits, as LLVM's ConstantRange and KnownBits; backwards as in constraint propagation.
#pragma once

#include <array>
#include <cstdint>

#include "server/symbolic/expression.h"

namespace heddle::symbolic {

// Unsigned, both ends included. A bit that is set in `zeros` (`ones`) is 0 (1) in every value.
struct Range {
  uint64_t least = 0, most = 0;
  uint64_t zeros = 0, ones = 0;
  bool is_point() const { return least == most; }
  bool is_empty() const { return least > most; }
  friend bool operator==(const Range&, const Range&) = default;
};

Range range_of_all(unsigned width);
Range range_of(uint64_t value);
// The values that both have. What the range says of the bits, and the bits of the range, is drawn in.
Range common(const Range& a, const Range& b);

// Of an operation whose operands have these widths.
struct Shape {
  const Node* node;
  unsigned width, low_width;  // of the first and the second operand
};
using Operands = std::array<Range, 3>;

Range forwards(const Shape& shape, const Operands& operands);
// Narrows the operands. False: the result cannot be in this range.
bool backwards(const Shape& shape, const Range& result, Operands& operands);

}  // namespace heddle::symbolic
