// Marks the lifetimes of temporaries and by-value parameters with destructors. They live in the caller's frame until
// the full expression ends, but Clang marks neither begin nor end. A thread that keeps a reference would find them
// alive until the caller returns.
//
// In:      a function as Clang generates it.
// Out:     lifetime markers around each such object: before the instruction that makes it, after its destructor.
// Cost:    linear in the function; per such object linear in its blocks.
// Owns:    nothing; it changes the function.
// Threads: one per module.
// Fails:   never. Objects whose destructor does nothing (Clang calls none) still live as long as the caller; coroutines
//          are left alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::frontend {

struct EndTemporaries : llvm::PassInfoMixin<EndTemporaries> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace heddle::frontend
