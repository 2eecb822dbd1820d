// Finds unchanged statements that an edit put in other loops, or after the end of a local variable's life.
//
// In:      views of a function in both versions, how its stack objects are matched, and effects that are matched and
//          unchanged, as pairs of code indices.
// Out:     the numbers of pairs that stand in other loops; of the new version, the statements at which a variable's life
//          may have ended, which it had not before, with the variable.
// Cost:    linear in the function for each loop and for each variable with marks of its life.
// Owns:    nothing; values.
// Threads: one, as the views.
// Fails:   never; of a variable without a counterpart only the accesses to it count.
// From:    Ottenstein 1984: the same dependences do not say in which loop they are met.
#pragma once

#include <utility>
#include <vector>

#include "server/edit/versions.h"
#include "server/edit/view.h"

namespace heddle::edit {

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;  // code indices: before, after

// Their loops hold other ones of the pairs.
std::vector<size_t> in_other_loops(const FunctionView& before, const FunctionView& after, const Pairs& pairs);

struct Outlived {
  uint32_t index;         // of the new version
  uint32_t stack_object;  // whose life may have ended
};
// Of the pairs, and of accesses. `facts`: of the new version.
std::vector<Outlived> after_ends_of_lives(const Facts& facts, const FunctionView& before, const FunctionView& after,
                                          const Versions::Stack& stack, const Pairs& pairs);

}  // namespace heddle::edit
