// Keeps local variables in memory that may be read before they are written, are accessed out of bounds, or are large.
// The machine knows which bytes of memory were written, where a variable ends and what it needs of the stack. SROA would
// replace such reads by undefined values, treat out-of-bounds accesses as unreachable, shrink arrays to the elements that
// are used, and hide the error.
//
// In:      a function before SROA.
// Out:     calls that keep those variables in memory during SROA, and that are removed after it. SROA runs several
//          times, because accesses through stored addresses show only once it has made values of those addresses.
//          Before the earlier runs variables with stored addresses are kept, too.
// Cost:    linear in the function; per variable with a doubtful read, and each part of it that is accessed as one, linear
//          in its blocks.
// Owns:    nothing; it changes the function.
// Threads: one per module.
// Fails:   never. Variables whose address is used for anything but accesses at constant offsets are left to SROA: what it
//          splits loses the check. Padding may stay unwritten in a copy; so may arrays of bytes in structures, which
//          Clang also uses for padding.
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
