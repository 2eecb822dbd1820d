// Temporaries and by-value parameters with destructors live in the frame of the caller, to the end of the full
// expression. Clang marks neither their beginning nor their end: a thread that keeps a reference would find them alive
// until the caller returns.
//
// In:      a function as Clang generates it. Out: lifetime markers around each such object: in front of what makes it,
//          behind its destructor.
// Cost:    linear in the function, per such object in its blocks.
// Owns:    nothing. Threads: any.
// Fails:   never. Objects whose destructor does nothing (Clang calls none) live as long as the caller, as before;
//          coroutines are left alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::frontend {

struct EndTemporaries : llvm::PassInfoMixin<EndTemporaries> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace heddle::frontend
