// Folds results of calls that cannot differ in the machine. A standard mutex is locked when its lock() returns, so
// nothing is thrown: a native error code is a finding there, or a deadlock.
//
// In:      a function; those of libstdc++'s mutexes, after SROA, are changed.
// Out:     the same function without the branch that throws.
// Cost:    linear in these few functions.
// Owns:    nothing; it changes the function.
// Threads: one per module.
// Fails:   never; other functions are left alone. Natively, a std::mutex could still throw if its native_handle() was
//          initialised again with another type.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::frontend {

struct SureResults : llvm::PassInfoMixin<SureResults> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace heddle::frontend
