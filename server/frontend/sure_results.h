// Results of calls that cannot differ in the machine: a standard mutex is locked when its lock() comes back (what would
// be an error code natively is a finding there, or a deadlock), so nothing is thrown.
//
// In:      functions of libstdc++'s mutexes after SROA. Out: the same without the branch that throws.
// Cost:    linear in these few functions. Owns: nothing. Threads: any. Fails: never; other functions are left alone.
// Differs: natively, a std::mutex whose native_handle() was initialised again with another type could throw.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::frontend {

struct SureResults : llvm::PassInfoMixin<SureResults> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace heddle::frontend
