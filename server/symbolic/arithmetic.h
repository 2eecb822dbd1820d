// What one operation yields for concrete operands.
//
// In:      a node and the values of its operands, each within its width.
// Out:     the result, within the node's width.
// Owns:    nothing.
// Threads: pure function, callable anywhere.
// Fails:   never; for a constant and an input it yields the node's own value.
// From:    SMT-LIB, theory FixedSizeBitVectors.
#pragma once

#include "server/symbolic/expression.h"

namespace heddle::symbolic {

// `width` is the first operand's, `low_width` the second's.
uint64_t result_of(const Node& node, unsigned width, unsigned low_width, const uint64_t values[3]);
// Of an odd number, modulo 2^64.
uint64_t inverse_of(uint64_t odd);
// The value as a signed number.
int64_t as_signed(unsigned width, uint64_t value);

}  // namespace heddle::symbolic
