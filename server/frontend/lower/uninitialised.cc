#include "server/frontend/lower/uninitialised.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "server/frontend/lower/outside.h"

namespace heddle::frontend {
namespace {

constexpr const char* kKeep = "heddle.keep";

enum class Access : uint8_t { Read, Write, Begin };  // Begin: its lifetime starts, the content is gone

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

// One variable, or one field of it, and everything that is done to it.
struct Part {
  const llvm::Type* type = nullptr;
  Steps steps;
  bool reads = false;
};

// The parts of a variable that is only accessed part by part, or as a whole by what writes all of it.
class Parts {
 public:
  explicit Parts(const llvm::AllocaInst* variable)
      : variable_(variable), layout_(variable->getModule()->getDataLayout()) {}

  // False: something else is done to the variable; it stays in memory anyway, or SROA leaves it alone.
  bool collect() {
    for (const llvm::User* user : variable_->users())
      if (!add_user(user)) return false;
    for (auto& [offset, part] : parts_)
      for (const Step& step : whole_) part.steps[step.at->getParent()].push_back(step);
    return true;
  }
  std::map<uint64_t, Part>& parts() { return parts_; }

 private:
  bool add_user(const llvm::User* user) {
    if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      llvm::APInt offset(64, 0);
      if (!element->accumulateConstantOffset(layout_, offset)) return false;
      return std::all_of(element->user_begin(), element->user_end(),
                         [&](const llvm::User* access) { return add_access(access, element, offset.getZExtValue()); });
    }
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
      const llvm::Intrinsic::ID id = intrinsic->getIntrinsicID();
      if (id == llvm::Intrinsic::lifetime_start || id == llvm::Intrinsic::lifetime_end)
        return whole_.push_back({intrinsic, Access::Begin}), true;
      if (const auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(intrinsic)) {
        if (transfer->getRawDest() == variable_) whole_.push_back({intrinsic, Access::Write});
        return true;  // a copy from it decides nothing yet
      }
      return false;
    }
    return add_access(user, variable_, 0);
  }

  bool add_access(const llvm::User* user, const llvm::Value* address, uint64_t offset) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      return !load->isAtomic() && add_step(load, Access::Read, load->getType(), offset);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return !store->isAtomic() && store->getValueOperand() != address &&
             add_step(store, Access::Write, store->getValueOperand()->getType(), offset);
    return false;
  }

  bool add_step(const llvm::Instruction* at, Access what, const llvm::Type* type, uint64_t offset) {
    Part& part = parts_[offset];
    if (part.type != nullptr && part.type != type) return false;  // punned
    part.type = type;
    part.steps[at->getParent()].push_back({at, what});
    part.reads = part.reads || what == Access::Read;
    return type->isSingleValueType();
  }

  const llvm::AllocaInst* variable_;
  const llvm::DataLayout& layout_;
  std::map<uint64_t, Part> parts_;
  std::vector<Step> whole_;
};

bool may_be_read_unwritten(Part& part) {
  if (!part.reads) return false;
  for (auto& [block, list] : part.steps)
    std::sort(list.begin(), list.end(), [](const Step& a, const Step& b) { return a.at->comesBefore(b.at); });
  for (const auto& [block, list] : part.steps) {
    std::optional<Access> before;
    for (const Step& step : list) {
      if (step.what == Access::Read) {
        if (before ? *before == Access::Begin : unwritten_before(block, part.steps)) return true;
      } else {
        before = step.what;
      }
    }
  }
  return false;
}

bool may_be_read_unwritten(const llvm::AllocaInst* variable) {
  const llvm::Type* type = variable->getAllocatedType();
  if (variable->isArrayAllocation() || !(type->isSingleValueType() || type->isStructTy())) return false;
  Parts parts(variable);
  if (!parts.collect()) return false;
  return std::any_of(parts.parts().begin(), parts.parts().end(),
                     [](auto& entry) { return may_be_read_unwritten(entry.second); });
}

// So large that it counts on a stack. SROA would leave what is used of it.
bool is_large(const llvm::AllocaInst& variable) {
  constexpr uint64_t kLargeFrom = 1024;
  const std::optional<llvm::TypeSize> size = variable.getAllocationSize(variable.getModule()->getDataLayout());
  return size && !size->isScalable() && size->getFixedValue() >= kLargeFrom;
}

}  // namespace

llvm::PreservedAnalyses KeepUnwritten::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<llvm::AllocaInst*> kept;
  for (llvm::Instruction& i : function.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
      if (is_large(*variable) || may_be_read_unwritten(variable) || accessed_outside(*variable) ||
          (round == Round::Earlier && address_stored(*variable)))
        kept.push_back(variable);
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
