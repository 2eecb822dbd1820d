#include "server/frontend/lower/sure_results.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "server/library/link_names.h"

namespace heddle::frontend {
namespace {

bool locks(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && call.getType()->isIntegerTy() && callee->getName().contains("__gthread");
}

}  // namespace

llvm::PreservedAnalyses SureResults::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const std::string_view name = function.getName();
  if (std::ranges::find(library::sure_locks(), name) == library::sure_locks().end())
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
