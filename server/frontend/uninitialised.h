// Local variables that may be read before they are written stay in memory, where the machine knows which bytes were
// written. SROA would replace such reads by undefined values and hide the error.
//
// In:      a function before SROA. Out: calls that keep those variables in memory over SROA; removed after it.
// Cost:    linear in the function and, per variable with a doubtful read, in its blocks.
// Owns:    nothing. Threads: any.
// Fails:   never. Arrays, and structures that are also accessed in other ways than field by field or as a whole, are
// left
//          to SROA: what it splits loses the check.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::frontend {

struct KeepUnwritten : llvm::PassInfoMixin<KeepUnwritten> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

struct ReleaseUnwritten : llvm::PassInfoMixin<ReleaseUnwritten> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// Takes the declaration of the keeping call out of the module.
void forget_keeping(llvm::Module& module);

}  // namespace heddle::frontend
