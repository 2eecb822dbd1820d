// Finds statements that may fail by themselves and loops that may never end: what a change of private values alone can
// break.
//
// In:      facts and a view of a function.
// Out:     per instruction: divisions and accesses not proved correct, all copies, and large local variables.
//          Recursive calls, and the branches that lead to them. Library calls that write memory, make blocks or free
//          them. For a loop not proved to end, the branches that leave it, except those that depend on what other
//          threads write. If nothing leaves the loop, its back edge.
// Cost:    linear in the function, times the nesting of loops.
// Owns:    nothing.
// Threads: one, as the view.
// Fails:   never; it over-approximates.
// From:    Podgurski, Clarke 1990 (weak control dependence: a loop decides whether what follows it happens).
#pragma once

#include "server/edit/view.h"

namespace heddle::edit {

std::vector<Hazard> find_hazards(const Facts& facts, const FunctionView& view);

// A load, store or division that is correct whatever the program does.
bool cannot_fault(const Facts& facts, const FunctionView& view, uint32_t index);

// It takes enough of the stack, or an unknown part, to make it overflow.
bool may_fill_stack(const Instruction& i);

// True if a change of the instruction may leak a block: it frees one, or may store a pointer into memory that outlives
// the function.
bool may_lose_block(const Facts& facts, const FunctionView& view, uint32_t index);

// May the call run a library function with this effect, itself or through what it calls?
bool may_run(const Facts& facts, CodeAddress call, library::Effect effect);

// Does the branch look at what other threads may write? Then what follows is relevant together with that.
bool looks_at_shared(const FunctionView& view, uint32_t branch);

// Code that may run after the instruction, sorted; for the branch of a loop that may never end, after that loop.
std::vector<uint32_t> what_follows(const FunctionView& view, uint32_t index);

}  // namespace heddle::edit
