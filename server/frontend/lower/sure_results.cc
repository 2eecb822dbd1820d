#include "server/frontend/lower/sure_results.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>

namespace heddle::frontend {
namespace {

constexpr std::array kLocks = {"_ZNSt5mutex4lockEv",           "_ZNSt15recursive_mutex4lockEv",
                               "_ZNSt11timed_mutex4lockEv",    "_ZNSt21recursive_timed_mutex4lockEv",
                               "_ZN9__gnu_cxx7__mutex4lockEv", "_ZN9__gnu_cxx7__mutex6unlockEv"};

bool locks(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && call.getType()->isIntegerTy() && callee->getName().contains("__gthread");
}

}  // namespace

llvm::PreservedAnalyses SureResults::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (std::find(kLocks.begin(), kLocks.end(), function.getName()) == kLocks.end())
    return llvm::PreservedAnalyses::all();
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || !locks(*call)) continue;
      const llvm::DataLayout& layout = function.getParent()->getDataLayout();
      for (llvm::User* user : std::vector<llvm::User*>(call->user_begin(), call->user_end())) {
        auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
        auto* bound = compare ? llvm::dyn_cast<llvm::Constant>(compare->getOperand(1)) : nullptr;
        if (bound == nullptr) continue;
        llvm::Constant* zero = llvm::ConstantInt::get(call->getType(), 0);
        if (llvm::Constant* known = llvm::ConstantFoldCompareInstOperands(compare->getPredicate(), zero, bound, layout))
          compare->replaceAllUsesWith(known);
      }
    }
  return llvm::PreservedAnalyses::none();
}

}  // namespace heddle::frontend
