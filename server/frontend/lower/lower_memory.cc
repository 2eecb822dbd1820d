#include "server/frontend/lower/lower_function.h"
#include "server/library/link_names.h"
#include "server/program/call_result.h"

namespace heddle::frontend {

using program::MemoryOrder;
using program::UpdateKind;

MemoryOrder memory_order(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic: return MemoryOrder::NotAtomic;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return MemoryOrder::Relaxed;
    case llvm::AtomicOrdering::Acquire: return MemoryOrder::Acquire;
    case llvm::AtomicOrdering::Release: return MemoryOrder::Release;
    case llvm::AtomicOrdering::AcquireRelease: return MemoryOrder::AcquireRelease;
    case llvm::AtomicOrdering::SequentiallyConsistent: return MemoryOrder::SequentiallyConsistent;
  }
  return MemoryOrder::SequentiallyConsistent;
}

namespace {

// Width of the access that moves a scalar, if one does: whole bytes that the machine has.
uint32_t access_width(const Leaf& leaf) {
  const uint32_t bits = lane_width(leaf);
  if (leaf.kind == LeafKind::Float) return bits;
  for (const uint32_t width : {8u, 16u, 32u, 64u, 128u})
    if (bits <= width && (bits + 7) / 8 * 8 == width) return width;
  return 0;
}

std::optional<UpdateKind> update_kind(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
    case llvm::AtomicRMWInst::Xchg: return UpdateKind::Exchange;
    case llvm::AtomicRMWInst::Add: return UpdateKind::Add;
    case llvm::AtomicRMWInst::Sub: return UpdateKind::Sub;
    case llvm::AtomicRMWInst::And: return UpdateKind::And;
    case llvm::AtomicRMWInst::Nand: return UpdateKind::Nand;
    case llvm::AtomicRMWInst::Or: return UpdateKind::Or;
    case llvm::AtomicRMWInst::Xor: return UpdateKind::Xor;
    case llvm::AtomicRMWInst::Max: return UpdateKind::SMax;
    case llvm::AtomicRMWInst::Min: return UpdateKind::SMin;
    case llvm::AtomicRMWInst::UMax: return UpdateKind::UMax;
    case llvm::AtomicRMWInst::UMin: return UpdateKind::UMin;
    case llvm::AtomicRMWInst::FAdd: return UpdateKind::FAdd;
    case llvm::AtomicRMWInst::FSub: return UpdateKind::FSub;
    case llvm::AtomicRMWInst::FMax: return UpdateKind::FMax;
    case llvm::AtomicRMWInst::FMin: return UpdateKind::FMin;
    case llvm::AtomicRMWInst::UIncWrap: return UpdateKind::UIncWrap;
    case llvm::AtomicRMWInst::UDecWrap: return UpdateKind::UDecWrap;
    default: return std::nullopt;
  }
}

}  // namespace

void FunctionLowering::lower_alloca(const llvm::AllocaInst& i) {
  program::StackObject object;
  object.place = place_;
  const uint64_t element = unit_.layout.getTypeAllocSize(i.getAllocatedType()).getFixedValue();
  object.alignment = static_cast<uint32_t>(i.getAlign().value());
  if (const llvm::DILocalVariable* variable = declared_.lookup(&i)) {
    object.name = variable->getName().str();
    object.type = unit_.debug.type(variable->getType());
    object.place = unit_.debug.place(unit_.debug.file(variable->getFile()), variable->getLine(), 0);
  } else if (i.isArrayAllocation() && i.getAllocatedType()->isIntegerTy(8)) {
    object.name = "alloca()";  // the function: Clang's own temporaries are no arrays of that many bytes
  }
  if (place_.value == 0) place_ = object.place;  // Clang gives allocations no line of their own
  const auto* count = llvm::dyn_cast<llvm::ConstantInt>(i.getArraySize());
  object.size = count ? element * count->getZExtValue() : 0;
  const int64_t size = static_cast<int64_t>(object.size);
  const auto index = static_cast<uint32_t>(out_.stack_objects.size());
  out_.stack_objects.push_back(std::move(object));
  if (count) return emit(Opcode::StackAllocate, 0, result(i), 0, index, size);
  const Slot elements = value(i.getArraySize());
  emit(Opcode::StackAllocateDynamic, 0, result(i), elements, index, static_cast<int64_t>(element));
}

// Integers of 3, 5, 6 or 7 bytes (bit-field units) are moved in parts of 4, 2 and 1.
void FunctionLowering::load_bytes(Slot to, Address from, uint32_t bits, uint8_t flags) {
  Slot sum = kNoSlot;
  const uint32_t bytes = (bits + 7) / 8;
  for (uint32_t at = 0; at < bytes;) {
    const uint32_t part = bytes - at >= 8 ? 8 : bytes - at >= 4 ? 4 : bytes - at >= 2 ? 2 : 1;
    if (at == 8) {  // the second word
      move(to, sum);
      sum = kNoSlot;
      ++to;
    }
    Slot piece = fresh(1);
    emit(Opcode::Load, part * 8, piece, from.base, 0, from.offset + at, flags);
    if (at % 8) {
      const Slot shifted = fresh(1), joined = fresh(1);
      emit(Opcode::ShlI, 64, shifted, piece, 0, at % 8 * 8);
      emit(Opcode::Or, 64, joined, sum, shifted);
      piece = joined;
    }
    sum = piece;
    at += part;
  }
  if (bits % 64)
    emit(Opcode::Truncate, bits % 64, to, sum);
  else
    move(to, sum);
}

void FunctionLowering::store_bytes(Address to, Slot from, uint32_t bits, uint8_t flags) {
  const uint32_t bytes = (bits + 7) / 8;
  for (uint32_t at = 0; at < bytes;) {
    const uint32_t part = bytes - at >= 8 ? 8 : bytes - at >= 4 ? 4 : bytes - at >= 2 ? 2 : 1;
    Slot piece = from + at / 8;
    if (at % 8) {
      const Slot shifted = fresh(1);
      emit(Opcode::LShrI, 64, shifted, piece, 0, at % 8 * 8);
      piece = shifted;
    }
    emit(Opcode::Store, part * 8, 0, to.base, piece, to.offset + at, flags);
    at += part;
  }
}

// What is moved, by type-based alias analysis. It takes members of unions and pointers to members for characters; the
// latter are integers here, so that an integer may be anything; but a string's are its capacity, in a union with
// characters.
static uint8_t moved(const llvm::Instruction& i, const llvm::Type& value) {
  const llvm::MDNode* tag = i.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 2) return 0;
  const auto* type = llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1));
  const auto* name = type && type->getNumOperands() ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0)) : nullptr;
  if (!name) return 0;
  if (name->getString() == "omnipotent char") {
    const llvm::StringRef function = i.getFunction()->getName();
    const bool capacity = value.isIntegerTy() && library::is_of_string(function);
    return value.isPointerTy() ? program::kPointer : capacity ? program::kNumber : 0;
  }
  if (name->getString() == "vtable pointer") return program::kVirtualTable;
  return name->getString() == "any pointer" ? program::kPointer : program::kNumber;
}

void FunctionLowering::lower_load(const llvm::LoadInst& i) {
  const std::vector<Leaf>& leaves = unit_.leaves(i.getType());
  const Address from = address(i.getPointerOperand());
  const Slot to = result(i);
  for (const Leaf& leaf : leaves) {
    const uint32_t width = access_width(leaf);
    const Address at{from.base, from.offset + static_cast<int64_t>(leaf.offset)};
    if (i.isAtomic()) {
      const uint8_t flags = program::atomic_flags(memory_order(i.getOrdering()), MemoryOrder::NotAtomic,
                                                  i.isVolatile() ? program::kAtomicVolatile : 0);
      if (width == 0) return unsupported(i, "atomic load of an odd width");
      emit(Opcode::AtomicLoad, width, to + leaf.slot, at.base, 0, at.offset, flags);
      continue;
    }
    const uint8_t flags = moved(i, *i.getType()) | (i.isVolatile() ? program::kVolatile : 0);
    if (width == 0 || leaf.kind == LeafKind::Other) {
      if (leaf.slots > 2) return unsupported(i, "load of a wide type");
      load_bytes(to + leaf.slot, at, leaf.bits, flags);
      continue;
    }
    emit(Opcode::Load, width, to + leaf.slot, at.base, 0, at.offset, flags);
    if (leaf.kind == LeafKind::Integer && leaf.bits < width) {
      const Slot top = to + leaf.slot + leaf.slots - 1;
      emit(Opcode::Truncate, (leaf.bits - 1) % 64 + 1, top, top);
    }
  }
}

void FunctionLowering::lower_store(const llvm::StoreInst& i) {
  const std::vector<Leaf>& leaves = unit_.leaves(i.getValueOperand()->getType());
  const Slot from = value(i.getValueOperand());
  const Address to = address(i.getPointerOperand());
  for (const Leaf& leaf : leaves) {
    const uint32_t width = access_width(leaf);
    const Address at{to.base, to.offset + static_cast<int64_t>(leaf.offset)};
    if (i.isAtomic()) {
      const uint8_t flags = program::atomic_flags(memory_order(i.getOrdering()), MemoryOrder::NotAtomic,
                                                  i.isVolatile() ? program::kAtomicVolatile : 0);
      if (width == 0) return unsupported(i, "atomic store of an odd width");
      emit(Opcode::AtomicStore, width, 0, at.base, from + leaf.slot, at.offset,
           flags | (unit_.facts.ends_sequences ? program::kEndsSequence : 0));
      continue;
    }
    const uint8_t flags = moved(i, *i.getValueOperand()->getType()) | (i.isVolatile() ? program::kVolatile : 0);
    if (width == 0 || leaf.kind == LeafKind::Other) {
      if (leaf.slots > 2) return unsupported(i, "store of a wide type");
      store_bytes(at, from + leaf.slot, leaf.bits, flags);
    } else {
      emit(Opcode::Store, width, 0, at.base, from + leaf.slot, at.offset, flags);
    }
  }
}

void FunctionLowering::lower_update(const llvm::AtomicRMWInst& i) {
  const std::vector<Leaf>& leaves = unit_.leaves(i.getType());
  const auto kind = update_kind(i.getOperation());
  const uint32_t width = leaves.size() == 1 ? access_width(leaves[0]) : 0;
  if (!kind || width == 0) return unsupported(i, "atomic read-modify-write of this kind");
  const Slot at = value(i.getPointerOperand()), with = value(i.getValOperand());
  emit(Opcode::AtomicUpdate, width, result(i), at, with, static_cast<int64_t>(*kind),
       program::atomic_flags(memory_order(i.getOrdering()), MemoryOrder::NotAtomic,
                             i.isVolatile() ? program::kAtomicVolatile : 0));
}

void FunctionLowering::lower_exchange(const llvm::AtomicCmpXchgInst& i) {
  const std::vector<Leaf>& leaves = unit_.leaves(i.getCompareOperand()->getType());
  const uint32_t width = leaves.size() == 1 ? access_width(leaves[0]) : 0;
  if (width == 0) return unsupported(i, "compare-and-exchange of an odd width");
  const Slot at = value(i.getPointerOperand()), expected = value(i.getCompareOperand()),
             desired = value(i.getNewValOperand());
  const uint8_t bits =
      static_cast<uint8_t>((i.isWeak() ? program::kAtomicWeak : 0) | (i.isVolatile() ? program::kAtomicVolatile : 0));
  emit(Opcode::CompareExchange, width, result(i), at, expected, desired,
       program::atomic_flags(memory_order(i.getSuccessOrdering()), memory_order(i.getFailureOrdering()), bits));
}

// First-class aggregates and vectors: parts are slots, so taking one costs nothing and changing one costs moves.
void FunctionLowering::lower_vector(const llvm::Instruction& i) {
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    const llvm::Value* from = extract->getAggregateOperand();
    return alias(i, value(from) + slot_before(from->getType(), extract->getIndices()));
  }
  if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&i)) {
    const llvm::Value *part = insert->getInsertedValueOperand(), *whole = insert->getAggregateOperand();
    const Slot given = value(part), to = changeable_slots(i, whole);
    return move(to + slot_before(i.getType(), insert->getIndices()), given, unit_.slot_count(part->getType()));
  }
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&i)) return lower_extract(*extract);
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&i)) return lower_insert(*insert);
  lower_shuffle(llvm::cast<llvm::ShuffleVectorInst>(i));
}

// Slots that hold the whole and may be changed: its own if no other instruction uses that value, else a copy.
Slot FunctionLowering::changeable_slots(const llvm::Instruction& i, const llvm::Value* whole) {
  const auto* before = llvm::dyn_cast<llvm::Instruction>(whole);
  const bool chain = before && before->getOpcode() == i.getOpcode() && !llvm::isa<llvm::ShuffleVectorInst>(before);
  if (chain && before->hasOneUse() && before->getParent() == i.getParent()) {
    const Slot same = value(whole);
    alias(i, same);
    return same;
  }
  const uint32_t count = unit_.slot_count(i.getType());
  const Slot source = llvm::isa<llvm::UndefValue>(whole) ? 0 : value(whole), to = result(i);
  if (llvm::isa<llvm::UndefValue>(whole))
    undefined(to, count);
  else
    move(to, source, count);
  return to;
}

// Slots of an aggregate before the part that the indices name.
uint32_t FunctionLowering::slot_before(llvm::Type* type, llvm::ArrayRef<unsigned> indices) {
  uint32_t slot = 0;
  for (const unsigned index : indices) {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned n = 0; n < index; ++n) slot += unit_.slot_count(structure->getElementType(n));
      type = structure->getElementType(index);
    } else {
      type = type->getArrayElementType();
      slot += index * unit_.slot_count(type);
    }
  }
  return slot;
}

void FunctionLowering::lower_extract(const llvm::ExtractElementInst& extract) {
  const std::vector<Leaf>& lanes = unit_.leaves(extract.getVectorOperandType());
  const Slot from = value(extract.getVectorOperand());
  if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand())) {
    if (index->getZExtValue() < lanes.size()) return alias(extract, from + lanes[index->getZExtValue()].slot);
    return undefined(result(extract), lanes[0].slots);
  }
  const Slot index = value(extract.getIndexOperand()), to = result(extract);
  move(to, from, lanes[0].slots);
  for (size_t n = 1; n < lanes.size(); ++n) {
    const Slot here = fresh(1);
    emit(Opcode::CmpEqI, 64, here, index, 0, static_cast<int64_t>(n));
    for (uint32_t k = 0; k < lanes[n].slots; ++k)
      emit(Opcode::Select, 64, to + k, here, from + lanes[n].slot + k, to + k);
  }
}

void FunctionLowering::lower_insert(const llvm::InsertElementInst& insert) {
  const std::vector<Leaf>& lanes = unit_.leaves(insert.getType());
  const Slot given = value(insert.getOperand(1));
  const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2));
  const Slot index = fixed ? 0 : value(insert.getOperand(2)), to = changeable_slots(insert, insert.getOperand(0));
  for (size_t n = 0; n < lanes.size(); ++n) {
    if (fixed) {
      if (fixed->getZExtValue() == n) move(to + lanes[n].slot, given, lanes[n].slots);
      continue;
    }
    const Slot here = fresh(1);
    emit(Opcode::CmpEqI, 64, here, index, 0, static_cast<int64_t>(n));
    for (uint32_t k = 0; k < lanes[n].slots; ++k)
      emit(Opcode::Select, 64, to + lanes[n].slot + k, here, given + k, to + lanes[n].slot + k);
  }
}

void FunctionLowering::lower_shuffle(const llvm::ShuffleVectorInst& shuffle) {
  const std::vector<Leaf>& lanes = unit_.leaves(shuffle.getOperand(0)->getType());
  const Slot left = value(shuffle.getOperand(0)), right = value(shuffle.getOperand(1)), to = result(shuffle);
  const std::vector<Leaf>& results = unit_.leaves(shuffle.getType());
  for (size_t n = 0; n < results.size(); ++n) {
    const int from = shuffle.getMaskValue(static_cast<unsigned>(n));
    const auto wanted = static_cast<size_t>(from);
    if (from < 0)
      undefined(to + results[n].slot, results[n].slots);
    else if (wanted < lanes.size())
      move(to + results[n].slot, left + lanes[wanted].slot, results[n].slots);
    else
      move(to + results[n].slot, right + lanes[wanted - lanes.size()].slot, results[n].slots);
  }
}

}  // namespace heddle::frontend
