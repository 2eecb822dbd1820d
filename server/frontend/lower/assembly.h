// Inline assembly of x86-64 whose meaning is known, as instructions of the program.
//
// In:      a module as Clang made it.
// Out:     the same; moves, exchanges, arithmetic and bit operations on memory and registers, also with `lock`, have
//          become loads, stores and updates: what the processor does in one step, the program does in one step.
// Owns:    nothing.
// Threads: any thread, one module each.
// Fails:   never. A text with anything else in it stays as it is, and ends its path (`lower_call`).
#pragma once

namespace llvm {
class Module;
}

namespace heddle::frontend {

void translate_assembly(llvm::Module& module);

}  // namespace heddle::frontend
