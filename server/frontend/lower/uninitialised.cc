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

struct Bytes {
  uint64_t begin = 0, end = 0;
  bool overlaps(const Bytes& other) const { return begin < other.end && other.begin < end; }
  bool contains(const Bytes& other) const { return begin <= other.begin && other.end <= end; }
};

// The bytes of a type that are no padding, as far as that is sure: numbers and pointers. Clang writes padding as arrays
// of bytes.
void add_values(const llvm::Type* type, uint64_t at, const llvm::DataLayout& layout, std::vector<Bytes>& values) {
  if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* const places = layout.getStructLayout(const_cast<llvm::StructType*>(record));
    for (unsigned n = 0; n < record->getNumElements(); ++n)
      add_values(record->getElementType(n), at + places->getElementOffset(n), layout, values);
  } else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (array->getElementType()->isIntegerTy(8)) return;
    const uint64_t step = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t n = 0; n < array->getNumElements(); ++n)
      add_values(array->getElementType(), at + n * step, layout, values);
  } else if (type->isSized()) {
    values.push_back({at, at + layout.getTypeStoreSize(const_cast<llvm::Type*>(type))});
  }
}

// A variable, and everything that is done to its bytes.
class Uses {
 public:
  explicit Uses(const llvm::AllocaInst* variable)
      : variable_(variable), layout_(variable->getModule()->getDataLayout()) {
    whole_.end = layout_.getTypeAllocSize(variable->getAllocatedType());
    add_values(variable->getAllocatedType(), 0, layout_, values_);
  }

  // False: something else is done to the variable; it stays in memory anyway, or SROA leaves it alone.
  bool collect() {
    const bool all = add_users(variable_, 0);
    if (all && is_text() && std::any_of(uses_.begin(), uses_.end(), [](const Use& use) {
          return llvm::isa<llvm::LoadInst, llvm::StoreInst>(use.step.at);
        }))
      values_.push_back(whole_);
    return all;
  }

  bool may_be_read_unwritten() const {
    std::set<uint64_t> cuts{whole_.begin, whole_.end};
    for (const Use& use : uses_) cuts.insert({use.bytes.begin, use.bytes.end});
    for (const Bytes& value : values_) cuts.insert({value.begin, value.end});
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut)
      if (may_be_read_unwritten({*cut, *std::next(cut)})) return true;
    return false;
  }

 private:
  struct Use {
    Step step;
    Bytes bytes;
    bool of_values;  // only values are read, not what may be padding
  };

  // An array of bytes. SROA makes such ones of padding: they are only copied.
  bool is_text() const {
    const auto* const array = llvm::dyn_cast<llvm::ArrayType>(variable_->getAllocatedType());
    return array && array->getElementType()->isIntegerTy(8);
  }

  bool add_user(const llvm::User* user, const llvm::Value* address, uint64_t offset) {
    const auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (!element) return add_access(user, address, offset);
    llvm::APInt further(64, 0);
    return element->accumulateConstantOffset(layout_, further) && add_users(element, offset + further.getZExtValue());
  }
  bool add_users(const llvm::Value* address, uint64_t offset) {
    return std::all_of(address->user_begin(), address->user_end(),
                       [&](const llvm::User* user) { return add_user(user, address, offset); });
  }

  bool add_access(const llvm::User* user, const llvm::Value* address, uint64_t offset) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
      return !load->isAtomic() && add(load, Access::Read, load->getType(), offset);
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return !store->isAtomic() && store->getValueOperand() != address &&
             add(store, Access::Write, store->getValueOperand()->getType(), offset);
    const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (!intrinsic) return false;
    const llvm::Intrinsic::ID id = intrinsic->getIntrinsicID();
    if (id == llvm::Intrinsic::lifetime_start || id == llvm::Intrinsic::lifetime_end)
      return add(intrinsic, Access::Begin, whole_);
    const auto* const transfer = llvm::dyn_cast<llvm::MemIntrinsic>(intrinsic);
    if (!transfer) return false;
    const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(transfer->getLength());
    const Bytes bytes{offset, length ? std::min(offset + length->getZExtValue(), whole_.end) : whole_.end};
    return add(transfer, transfer->getRawDest() == address ? Access::Write : Access::Read, bytes);
  }

  bool add(const llvm::Instruction* at, Access what, const llvm::Type* type, uint64_t offset) {
    if (const auto* const record = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout* const places = layout_.getStructLayout(const_cast<llvm::StructType*>(record));
      bool all = true;
      for (unsigned n = 0; n < record->getNumElements(); ++n)
        all = all && add(at, what, record->getElementType(n), offset + places->getElementOffset(n));
      return all;
    }
    const uint64_t size = layout_.getTypeStoreSize(const_cast<llvm::Type*>(type));
    return type->isSingleValueType() && add(at, what, {offset, offset + size});
  }
  // A read of several values, or of one and more, is a copy: nothing is done to its padding.
  bool add(const llvm::Instruction* at, Access what, Bytes bytes) {
    const bool of_values =
        std::any_of(values_.begin(), values_.end(), [&](const Bytes& value) { return value.overlaps(bytes); }) ||
        llvm::isa<llvm::MemIntrinsic>(at);
    uses_.push_back({{at, what}, bytes, of_values});
    return true;
  }

  bool may_be_read_unwritten(const Bytes& part) const {
    const bool value =
        std::any_of(values_.begin(), values_.end(), [&](const Bytes& one) { return one.contains(part); });
    Steps steps;
    bool reads = false;
    for (const Use& use : uses_) {
      if (!use.bytes.overlaps(part)) continue;
      if (use.step.what == Access::Read && use.of_values && !value) continue;
      reads = reads || use.step.what == Access::Read;
      steps[use.step.at->getParent()].push_back(use.step);
    }
    return reads && reads_unwritten(steps);
  }

  static bool reads_unwritten(Steps& steps) {
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

  const llvm::AllocaInst* variable_;
  const llvm::DataLayout& layout_;
  Bytes whole_;
  std::vector<Bytes> values_;
  std::vector<Use> uses_;
};

bool may_be_read_unwritten(const llvm::AllocaInst* variable) {
  const llvm::Type* type = variable->getAllocatedType();
  if (variable->isArrayAllocation() || !(type->isSingleValueType() || type->isAggregateType())) return false;
  Uses uses(variable);
  return uses.collect() && uses.may_be_read_unwritten();
}

// The address is one of several that a value may be. SROA would read each of them where they meet, and forget which lives
// and which was written.
bool address_chosen(const llvm::Value& address) {
  return std::any_of(address.user_begin(), address.user_end(), [](const llvm::User* user) {
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(user)) return true;
    return llvm::isa<llvm::GetElementPtrInst>(user) && address_chosen(*user);
  });
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
          address_chosen(*variable) || (round == Round::Earlier && address_stored(*variable)))
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
