// Describes what one instruction does: the library function that a call runs, the memory it reads and writes. Builds
// the flow graph of a function.
//
// In:      a program or facts, and a code address.
// Out:     a row of the library table, a flow graph, or sorted object lists.
// Cost:    linear in the points-to sets involved; make_graph is near linear in the function.
// Owns:    nothing; a CodeGraph refers to the program.
// Threads: pure functions, callable anywhere (each thread keeps its own Throws).
// Fails:   never; a call of an unknown external touches nothing, because executions end there, unless it fills memory.
#pragma once

#include <vector>

#include "server/analysis/analysis.h"
#include "server/analysis/code_graph.h"
#include "server/analysis/library.h"

namespace heddle::analysis {

// The row of the library function that a direct call reaches; null for defined functions, and for unknown ones that fill
// no memory.
const library::Function* library_callee(const program::Program& program, FunctionId caller, const Instruction& call);

// The flow graph of a function, with paths that end where the library table says so.
CodeGraph make_graph(const program::Program& program, FunctionId function);

// Objects that the instruction itself may read and write, shared or not. Calls of defined functions: none.
struct MemoryEffects {
  std::vector<ObjectId> reads, writes;
};
MemoryEffects memory_effects(const Facts& facts, CodeAddress at);

}  // namespace heddle::analysis
