// Where in a function something may hold that some of its instructions begin and others end.
//
// In:      a view of the function, and per instruction what it does to that.
// Out:     per instruction, whether some path reaches it after one that begins it and none since that ends it.
// Cost:    linear in the function.
// Owns:    nothing; values.
// Threads: one, as the view.
// Fails:   never.
// From:    Kildall 1973 (a forward data-flow problem).
#pragma once

#include <cstdint>
#include <vector>

#include "server/edit/view.h"

namespace heddle::edit {

enum class MarkKind : uint8_t { None, Begins, Ends };

std::vector<bool> may_hold(const FunctionView& view, const std::vector<MarkKind>& marks);

}  // namespace heddle::edit
