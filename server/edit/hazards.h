// Statements that may be an error by themselves, or never end: what a change of private values alone can break.
//
// In:      a view of a function.
// Out:     per instruction: divisions, accesses and copies that cannot be seen to be good; the branch that leaves a
// loop
//          not seen to end (but for one that looks at what others may write), or the way back of one that nothing
//          leaves; library calls that write to memory, make blocks or free them.
// Cost:    linear in the function, times loops around loops.
// Owns:    nothing. Threads: pure. Fails: never; over-approximates.
// From:    Podgurski and Clarke 1990 (weak control dependence: a loop decides whether what follows it happens).
#pragma once

#include "server/edit/view.h"

namespace heddle::edit {

std::vector<Hazard> find_hazards(const Facts& facts, const FunctionView& view);

// A load, store, copy or division that is good whatever the program does.
bool cannot_fault(const Facts& facts, const FunctionView& view, uint32_t index);

// Without it, or with another, a block may no longer be freed, or nothing may lead to it any more: a free, or a store of
// what may be a pointer into memory that outlives its function.
bool may_lose_block(const Facts& facts, const FunctionView& view, uint32_t index);

// Code that runs after the instruction, or, for one that decides how long a loop goes on, after the loops it leaves;
// sorted.
std::vector<uint32_t> what_follows(const FunctionView& view, uint32_t index);

}  // namespace heddle::edit
