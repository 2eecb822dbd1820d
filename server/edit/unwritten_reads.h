// Finds reads of local variables that some path reaches before anything can have written them.
//
// In:      facts and a view of a function.
// Out:     code indices of such loads, in order.
// Cost:    linear in the function for each of its local variables that stays in memory, at most 64 of them.
// Owns:    nothing; values.
// Threads: one, as the view.
// Fails:   never; over-approximates paths, and takes whatever may write a variable as writing all of it.
#pragma once

#include <cstdint>
#include <vector>

#include "server/edit/view.h"

namespace heddle::edit {

std::vector<uint32_t> unwritten_reads(const Facts& facts, const FunctionView& view);

}  // namespace heddle::edit
