#include "server/frontend/lower/outside.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace heddle::frontend {
namespace {

constexpr size_t kUsesMost = 10'000;  // an address that a loop moves on has ever more offsets

// Calls visit(user, the use's value, its offset in the variable) for all that is done to the variable's addresses,
// until it says yes.
template <typename Visit>
bool any_use(const llvm::AllocaInst& variable, Visit visit) {
  const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
  std::set<std::pair<const llvm::Value*, int64_t>> seen{{&variable, 0}};
  std::vector<std::pair<const llvm::Value*, int64_t>> work{{&variable, 0}};
  while (!work.empty() && seen.size() < kUsesMost) {
    const auto [address, offset] = work.back();
    work.pop_back();
    for (const llvm::User* user : address->users()) {
      std::optional<int64_t> moved;
      if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt by(64, 0);
        if (element->accumulateConstantOffset(layout, by)) moved = offset + by.getSExtValue();
      } else if (llvm::isa<llvm::BitCastInst, llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst>(user)) {
        moved = offset;
      } else if (visit(user, address, offset)) {
        return true;
      }
      if (moved && seen.insert({user, *moved}).second) work.push_back({user, *moved});
    }
  }
  return false;
}

// Bytes that the instruction accesses at the address; 0: not known, or none.
uint64_t bytes_at(const llvm::User* user, const llvm::Value* address, const llvm::DataLayout& layout) {
  const auto of = [&](const llvm::Type* type) -> uint64_t {
    const llvm::TypeSize size = layout.getTypeStoreSize(const_cast<llvm::Type*>(type));
    return size.isScalable() ? 0 : size.getFixedValue();
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return of(load->getType());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
    return store->getPointerOperand() == address ? of(store->getValueOperand()->getType()) : 0;
  if (const auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(transfer->getLength());
    return length ? length->getZExtValue() : 0;
  }
  return 0;
}

}  // namespace

bool accessed_outside(const llvm::AllocaInst& variable) {
  const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
  const std::optional<llvm::TypeSize> size = variable.getAllocationSize(layout);
  if (!size || size->isScalable()) return false;
  const uint64_t end = size->getFixedValue();
  return any_use(variable, [&](const llvm::User* user, const llvm::Value* address, int64_t offset) {
    const uint64_t bytes = bytes_at(user, address, layout);
    return bytes > 0 && (offset < 0 || static_cast<uint64_t>(offset) + bytes > end);
  });
}

bool address_stored(const llvm::AllocaInst& variable) {
  return any_use(variable, [](const llvm::User* user, const llvm::Value* address, int64_t) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store && store->getValueOperand() == address;
  });
}

}  // namespace heddle::frontend
