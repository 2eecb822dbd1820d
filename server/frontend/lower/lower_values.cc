#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "server/frontend/lower/lower_function.h"

namespace heddle::frontend {

void FunctionLowering::emit(Opcode op, uint32_t width, Slot dst, uint32_t a, uint32_t b, int64_t imm, uint8_t flags) {
  out_.code.push_back({op, static_cast<uint8_t>(width), flags, dst, a, b, imm});
  out_.places.push_back(place_);
}

void FunctionLowering::move(Slot to, Slot from, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) emit(Opcode::Move, 64, to + k, from + k);
}

void FunctionLowering::emit_binary(Opcode with_slot, uint32_t width, Slot dst, Slot left, const Operand& right) {
  if (right.number) {
    emit(static_cast<Opcode>(static_cast<uint16_t>(with_slot) + 1), width, dst, left, 0,
         static_cast<int64_t>(right.value));
  } else {
    emit(with_slot, width, dst, left, right.slot);
  }
}

Slot FunctionLowering::fresh(uint32_t count) {
  const Slot first = next_slot_;
  next_slot_ += count;
  groups_.push_back({first, count});
  return first;
}

Slot FunctionLowering::result(const llvm::Value& value) {
  const uint32_t count = unit_.slot_count(value.getType());
  const Slot first = count ? fresh(count) : 0;
  slots_[&value] = first;
  return first;
}

Slot FunctionLowering::number(uint64_t value) {
  const Slot made = fresh(1);
  emit(Opcode::Const, 64, made, 0, 0, static_cast<int64_t>(value));
  return made;
}

void FunctionLowering::undefined(Slot first, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) emit(Opcode::Undefined, 64, first + k);
}

Slot FunctionLowering::value(const llvm::Value* value) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    const uint32_t count = unit_.slot_count(constant->getType());
    const Slot made = count ? fresh(count) : 0;
    materialise(constant, made);
    return made;
  }
  const auto found = slots_.find(value);
  if (found != slots_.end()) return found->second;
  // Tokens, metadata and what stands in unreachable code.
  const Slot made = fresh(std::max(1u, unit_.slot_count(value->getType())));
  undefined(made, std::max(1u, unit_.slot_count(value->getType())));
  return made;
}

void FunctionLowering::materialise(const llvm::Constant* constant, Slot to) {
  const std::vector<Leaf>& leaves = unit_.leaves(constant->getType());
  if (llvm::isa<llvm::UndefValue>(constant)) return undefined(to, unit_.slot_count(constant->getType()));
  const bool single = constant->getType()->isSingleValueType() && !constant->getType()->isVectorTy();
  if (!single && !constant->isNullValue()) {  // element by element
    uint32_t at = 0;
    for (unsigned n = 0; at < unit_.slot_count(constant->getType()); ++n) {
      const llvm::Constant* part = constant->getAggregateElement(n);
      if (!part) {
        undefined(to + at, unit_.slot_count(constant->getType()) - at);
        return;
      }
      materialise(part, to + at);
      at += unit_.slot_count(part->getType());
    }
    return;
  }
  if (!single) {
    for (uint32_t k = 0; k < unit_.slot_count(constant->getType()); ++k) emit(Opcode::Const, 64, to + k);
    return;
  }
  const std::optional<ScalarConstant> known = unit_.scalar(constant);
  if (known && leaves.size() == 1 && leaves[0].slots <= 2) {
    if (known->symbol.valid()) {
      emit(Opcode::SymbolAddress, 64, to, known->symbol.value, 0, static_cast<int64_t>(known->value));
    } else {
      emit(Opcode::Const, 64, to, 0, 0, static_cast<int64_t>(known->value));
    }
    if (leaves[0].slots == 2) emit(Opcode::Const, 64, to + 1, 0, 0, static_cast<int64_t>(known->high));
    return;
  }
  // Arithmetic on addresses that has no closed form: computed here.
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant)) {
    llvm::Instruction* step = expression->getAsInstruction();
    lower(*step);
    const auto found = slots_.find(step);
    if (found != slots_.end()) move(to, found->second, unit_.slot_count(constant->getType()));
    slots_.erase(step);
    step->deleteValue();
    return;
  }
  const auto count = unit_.slot_count(constant->getType());
  out_.unsupported.push_back("constant of a type that is not supported");
  emit(Opcode::Unsupported, count, to, 0, static_cast<uint32_t>(out_.unsupported.size() - 1));
}

Operand FunctionLowering::operand(const llvm::Value* given, uint32_t lane) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(given)) {
    const llvm::Constant* scalar = constant->getType()->isVectorTy() ? constant->getAggregateElement(lane) : constant;
    if (scalar && !llvm::isa<llvm::UndefValue>(scalar)) {
      const auto known = unit_.scalar(scalar);
      if (known && !known->symbol.valid() && unit_.slot_count(scalar->getType()) == 1) return {true, known->value, 0};
    }
    if (scalar) return {false, 0, value(scalar)};
  }
  return {false, 0, value(given) + unit_.leaves(given->getType())[lane].slot};
}

Slot FunctionLowering::slot_of(const Operand& operand) { return operand.number ? number(operand.value) : operand.slot; }

// An address whose only users are plain accesses and further displacements: a constant part moves to them.
bool FunctionLowering::only_accessed(const llvm::GetElementPtrInst& gep) {
  if (gep.use_empty() || gep.getType()->isVectorTy()) return false;
  for (const llvm::User* user : gep.users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      if (store->getValueOperand() != &gep) continue;
    if (llvm::isa<llvm::GetElementPtrInst>(user) && !user->getType()->isVectorTy()) continue;  // takes it over
    return false;
  }
  return true;
}

bool FunctionLowering::folds_into_accesses(const llvm::GetElementPtrInst& gep) {
  return gep.hasAllConstantIndices() && only_accessed(gep);
}

// A sign extension that only makes array indices: PointerIndex does it.
bool FunctionLowering::folds_into_index(const llvm::Value& value) {
  const auto* extension = llvm::dyn_cast<llvm::SExtInst>(&value);
  if (!extension || extension->use_empty() || !extension->getSrcTy()->isIntegerTy()) return false;
  if (extension->getDestTy()->getIntegerBitWidth() != 64) return false;
  for (const llvm::User* user : extension->users())
    if (!llvm::isa<llvm::GetElementPtrInst>(user) || user->getType()->isVectorTy()) return false;
  return true;
}

FunctionLowering::Address FunctionLowering::address(const llvm::Value* pointer) {
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer); gep && folds_into_accesses(*gep)) {
    llvm::APInt offset(64, 0);
    if (gep->accumulateConstantOffset(unit_.layout, offset)) {
      Address inner = address(gep->getPointerOperand());
      inner.offset += offset.getSExtValue();
      return inner;
    }
  }
  return {value(pointer), displacements_.lookup(pointer)};
}

void FunctionLowering::lower_gep(const llvm::GetElementPtrInst& gep) {
  if (gep.getType()->isVectorTy()) return unsupported(gep, "vector of addresses");
  if (folds_into_accesses(gep)) return;
  struct Step {
    const llvm::Value* index;
    int64_t scale;
  };
  std::vector<Step> steps;
  int64_t offset = 0;
  for (auto at = llvm::gep_type_begin(gep); at != llvm::gep_type_end(gep); ++at) {
    const llvm::Value* index = at.getOperand();
    if (llvm::StructType* structure = at.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
      offset += static_cast<int64_t>(unit_.layout.getStructLayout(structure)->getElementOffset(field).getFixedValue());
      continue;
    }
    const auto scale = static_cast<int64_t>(at.getSequentialElementStride(unit_.layout).getFixedValue());
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
      offset += constant->getSExtValue() * scale;
    else if (scale)
      steps.push_back({index, scale});
  }
  Slot at = 0;
  if (const auto* base = llvm::dyn_cast<llvm::Constant>(gep.getPointerOperand())) {
    const auto known = unit_.scalar(base);
    if (known && known->symbol.valid()) {  // the displacement goes into the symbol's address
      at = fresh(1);
      emit(Opcode::SymbolAddress, 64, at, known->symbol.value, 0, static_cast<int64_t>(known->value) + offset);
      offset = 0;
    } else {
      at = value(base);
    }
  } else {
    const Address base_address = address(gep.getPointerOperand());
    at = base_address.base;
    offset += base_address.offset;
  }
  for (const Step& step : steps) {
    const Slot next = fresh(1);
    const llvm::Value* index =
        folds_into_index(*step.index) ? llvm::cast<llvm::SExtInst>(step.index)->getOperand(0) : step.index;
    emit(Opcode::PointerIndex, index->getType()->getIntegerBitWidth(), next, at, value(index), step.scale);
    at = next;
  }
  if (offset && only_accessed(gep)) {
    displacements_[&gep] = offset;
  } else if (offset) {
    const Slot next = fresh(1);
    emit(Opcode::PointerAdd, 64, next, at, 0, offset);
    at = next;
  }
  alias(gep, at);
}

}  // namespace heddle::frontend
