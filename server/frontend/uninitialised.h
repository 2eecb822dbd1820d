// Local variables that may be read before they are written, or are accessed outside of their bounds, stay in memory,
// where the machine knows which bytes were written and where a variable ends. SROA would replace such reads by undefined
// values, take what lies outside for unreachable, and hide the error.
//
// In:      a function before SROA. Out: calls that keep those variables in memory over SROA; removed after it. What is
//          done through addresses that are kept in variables shows when SROA has made values of those: SROA runs
//          several times, and before its last run such variables stay, too.
// Cost:    linear in the function and, per variable with a doubtful read, in its blocks.
// Owns:    nothing. Threads: any.
// Fails:   never. Arrays, and structures that are also accessed in other ways than field by field or as a whole, are
// left
//          to SROA: what it splits loses the check.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::frontend {

enum class Round : uint8_t { Earlier, Last };

struct KeepUnwritten : llvm::PassInfoMixin<KeepUnwritten> {
  explicit KeepUnwritten(Round round) : round(round) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
  Round round;
};

struct ReleaseUnwritten : llvm::PassInfoMixin<ReleaseUnwritten> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

// Takes the declaration of the keeping call out of the module.
void forget_keeping(llvm::Module& module);

}  // namespace heddle::frontend
