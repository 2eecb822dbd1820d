#include "server/frontend/lower/temporaries.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <set>
#include <vector>

namespace heddle::frontend {
namespace {

bool is_destructor(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  if (!name.ends_with("D1Ev") && !name.ends_with("D2Ev")) return false;
  llvm::ItaniumPartialDemangler demangled;
  return !demangled.partialDemangle(name.str().c_str()) && demangled.isCtorOrDtor();
}

// What happens to one object without a name.
struct Temporary {
  std::set<const llvm::Instruction*> uses, ends;  // ends: calls of its destructor
};

// False: it is none, or its life is not seen through.
bool look(llvm::AllocaInst& object, Temporary& result) {
  if (!llvm::findDbgDeclares(&object).empty() || !llvm::findDVRDeclares(&object).empty()) return false;
  for (llvm::User* user : object.users()) {
    auto* const use = llvm::cast<llvm::Instruction>(user);
    if (use->isLifetimeStartOrEnd() || llvm::isa<llvm::PHINode>(use)) return false;
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(use);
    const llvm::Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
    const bool ends = callee != nullptr && call->arg_size() == 1 && is_destructor(*callee);
    if (ends && !llvm::isa<llvm::CallInst>(use)) return false;
    (ends ? result.ends : result.uses).insert(use);
  }
  return !result.ends.empty() && !result.uses.empty();
}

// The uses that may be the first ones since the function began, or since the object was destroyed: they make it.
std::set<const llvm::Instruction*> beginnings(const llvm::Function& function, const Temporary& temporary) {
  std::set<const llvm::Instruction*> result;
  std::set<const llvm::BasicBlock*> entered;  // with the object not there
  std::vector<const llvm::BasicBlock*> work;
  const auto pass = [&](const llvm::BasicBlock& block, bool there) {
    for (const llvm::Instruction& instruction : block) {
      if (temporary.ends.contains(&instruction)) there = false;
      if (!temporary.uses.contains(&instruction)) continue;
      if (!there) result.insert(&instruction);
      there = true;
    }
    if (there) return;
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      if (entered.insert(next).second) work.push_back(next);
  };
  entered.insert(&function.getEntryBlock());
  work.push_back(&function.getEntryBlock());
  for (const llvm::Instruction* end : temporary.ends) pass(*end->getParent(), true);
  while (!work.empty()) {
    const llvm::BasicBlock* const block = work.back();
    work.pop_back();
    pass(*block, false);
  }
  return result;
}

}  // namespace

llvm::PreservedAnalyses EndTemporaries::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (function.isPresplitCoroutine()) return llvm::PreservedAnalyses::all();
  std::vector<llvm::AllocaInst*> objects;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* const object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        object != nullptr && object->isStaticAlloca() && object->getAllocatedType()->isStructTy())
      objects.push_back(object);
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::AllocaInst* const object : objects) {
    Temporary temporary;
    if (!look(*object, temporary)) continue;
    llvm::IRBuilder<> builder(function.getContext());
    llvm::ConstantInt* const size = builder.getInt64(layout.getTypeAllocSize(object->getAllocatedType()));
    const auto at = [&](const llvm::Instruction* place) { return const_cast<llvm::Instruction*>(place); };
    for (const llvm::Instruction* begin : beginnings(function, temporary)) {
      builder.SetInsertPoint(at(begin));
      builder.CreateLifetimeStart(object, size);
    }
    for (const llvm::Instruction* end : temporary.ends) {
      builder.SetInsertPoint(at(end)->getNextNode());
      builder.SetCurrentDebugLocation(end->getDebugLoc());
      builder.CreateLifetimeEnd(object, size);
    }
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace heddle::frontend
