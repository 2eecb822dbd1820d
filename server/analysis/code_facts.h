// What one instruction does, in terms that later stages share: the library function behind a call, the memory it reads
// and writes, the flow graph of a function.
//
// In:      facts and a code address. Out: values and sorted object lists.
// Cost:    linear in the points-to sets involved; make_graph is near linear in the function.
// Owns:    nothing; a CodeGraph refers to the program. Threads: pure.
// Fails:   never; calls of unknown externals touch nothing (an execution ends at them).
#pragma once

#include <vector>

#include "server/analysis/analysis.h"
#include "server/analysis/code_graph.h"
#include "server/analysis/library.h"

namespace heddle::analysis {

// The described library function that a direct call reaches; null for defined and unknown ones.
const LibraryFunction* library_callee(const program::Program& program, FunctionId caller, const Instruction& call);

// The graph of a function with the ends of paths that the library table knows.
CodeGraph make_graph(const program::Program& program, FunctionId function);

// Objects that the instruction itself may read and write, shared or not. Calls of defined functions: none.
struct MemoryEffects {
  std::vector<ObjectId> reads, writes;
};
MemoryEffects memory_effects(const Facts& facts, CodeAddress at);

}  // namespace heddle::analysis
