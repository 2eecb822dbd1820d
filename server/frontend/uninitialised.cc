#include "server/frontend/uninitialised.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::frontend {
namespace {

constexpr const char* kKeep = "heddle.keep";

enum class Access : uint8_t { Read, Write, Begin };  // Begin: its lifetime starts, the content is gone

// What a user of the variable does; nothing if it is none of these.
std::optional<Access> access_of(const llvm::User* user, const llvm::AllocaInst* variable) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
    return load->getType() == variable->getAllocatedType() && !load->isAtomic() ? std::optional(Access::Read)
                                                                                : std::nullopt;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
    return store->getValueOperand() != variable && !store->isAtomic() &&
                   store->getValueOperand()->getType() == variable->getAllocatedType()
               ? std::optional(Access::Write)
               : std::nullopt;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
    if (intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start) return Access::Begin;
    if (intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_end) return Access::Begin;
  }
  return std::nullopt;
}

struct Step {
  const llvm::Instruction* at;
  Access what;
};
using Steps = std::map<const llvm::BasicBlock*, std::vector<Step>>;

// Whether the end of the block may be reached with the variable unwritten, looking backwards from a read.
bool unwritten_before(const llvm::BasicBlock* block, const Steps& steps) {
  std::vector<const llvm::BasicBlock*> work{block};
  std::set<const llvm::BasicBlock*> seen;
  while (!work.empty()) {
    const llvm::BasicBlock* at = work.back();
    work.pop_back();
    if (at->isEntryBlock()) return true;
    for (const llvm::BasicBlock* before : llvm::predecessors(at)) {
      if (!seen.insert(before).second) continue;
      const auto found = steps.find(before);
      bool decided = false;
      if (found != steps.end())
        for (auto step = found->second.rbegin(); step != found->second.rend() && !decided; ++step) {
          if (step->what == Access::Begin) return true;
          decided = step->what == Access::Write;
        }
      if (!decided) work.push_back(before);
    }
  }
  return false;
}

bool may_be_read_unwritten(const llvm::AllocaInst* variable) {
  if (!variable->getAllocatedType()->isSingleValueType() || variable->isArrayAllocation()) return false;
  Steps steps;
  bool reads = false;
  for (const llvm::User* user : variable->users()) {
    const std::optional<Access> what = access_of(user, variable);
    if (!what) return false;  // it stays in memory anyway, or is no plain variable
    reads = reads || *what == Access::Read;
    const auto* at = llvm::cast<llvm::Instruction>(user);
    steps[at->getParent()].push_back({at, *what});
  }
  if (!reads) return false;
  for (auto& [block, list] : steps)
    std::sort(list.begin(), list.end(), [](const Step& a, const Step& b) { return a.at->comesBefore(b.at); });
  for (const auto& [block, list] : steps) {
    std::optional<Access> before;
    for (const Step& step : list) {
      if (step.what == Access::Read) {
        if (before ? *before == Access::Begin : unwritten_before(block, steps)) return true;
      } else {
        before = step.what;
      }
    }
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses KeepUnwritten::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<llvm::AllocaInst*> kept;
  for (llvm::Instruction& i : function.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
      if (may_be_read_unwritten(variable)) kept.push_back(variable);
  if (kept.empty()) return llvm::PreservedAnalyses::all();
  llvm::LLVMContext& context = function.getContext();
  const llvm::FunctionCallee keep = function.getParent()->getOrInsertFunction(kKeep, llvm::Type::getVoidTy(context),
                                                                              llvm::PointerType::getUnqual(context));
  for (llvm::AllocaInst* variable : kept) {
    llvm::IRBuilder<> builder(variable->getNextNode());
    builder.CreateCall(keep, {variable});
  }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ReleaseUnwritten::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::Function* keep = function.getParent()->getFunction(kKeep);
  if (!keep) return llvm::PreservedAnalyses::all();
  std::vector<llvm::CallInst*> calls;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& i : block)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i); call && call->getCalledOperand() == keep)
        calls.push_back(call);
  for (llvm::CallInst* call : calls) call->eraseFromParent();
  return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

void forget_keeping(llvm::Module& module) {
  if (llvm::Function* keep = module.getFunction(kKeep); keep && keep->use_empty()) keep->eraseFromParent();
}

}  // namespace heddle::frontend
