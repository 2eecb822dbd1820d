// Cuts a path condition into slices that share no input, so that each can be solved, and remembered, by itself.
//
// In:      a pool and conditions of one bit.
// Out:     the conditions by slice: slices in the order of their least condition, conditions ascending, each once.
// Cost:    linear in the nodes below the conditions, up to sorting.
// Owns:    nothing.
// Threads: pure function, callable anywhere as long as no thread adds to the pool.
// Fails:   never.
// From:    Cadar, Dunbar, Engler 2008, section 3.3, independent constraints.
#pragma once

#include <span>
#include <vector>

#include "server/symbolic/expression.h"

namespace heddle::symbolic {

using Slice = std::vector<Expression>;

// A condition without an input forms a slice of its own.
std::vector<Slice> slices_of(const Pool& pool, std::span<const Expression> conditions);

}  // namespace heddle::symbolic
