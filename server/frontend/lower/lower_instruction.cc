#include <llvm/Support/raw_ostream.h>

#include "server/frontend/lower/lower_function.h"
#include "server/program/operands.h"

namespace heddle::frontend {

using program::CompareKind;
using program::FloatKind;
using program::WideKind;

namespace {

std::string text_of(const llvm::Type* type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return text;
}

Opcode integer_opcode(unsigned op) {
  switch (op) {
    case llvm::Instruction::Add: return Opcode::Add;
    case llvm::Instruction::Sub: return Opcode::Sub;
    case llvm::Instruction::Mul: return Opcode::Mul;
    case llvm::Instruction::UDiv: return Opcode::UDiv;
    case llvm::Instruction::SDiv: return Opcode::SDiv;
    case llvm::Instruction::URem: return Opcode::URem;
    case llvm::Instruction::SRem: return Opcode::SRem;
    case llvm::Instruction::Shl: return Opcode::Shl;
    case llvm::Instruction::LShr: return Opcode::LShr;
    case llvm::Instruction::AShr: return Opcode::AShr;
    case llvm::Instruction::And: return Opcode::And;
    case llvm::Instruction::Or: return Opcode::Or;
    case llvm::Instruction::Xor: return Opcode::Xor;
    default: return Opcode::Unsupported;
  }
}

WideKind wide_kind(unsigned op) {
  switch (op) {
    case llvm::Instruction::Add: return WideKind::Add;
    case llvm::Instruction::Sub: return WideKind::Sub;
    case llvm::Instruction::Mul: return WideKind::Mul;
    case llvm::Instruction::UDiv: return WideKind::UDiv;
    case llvm::Instruction::SDiv: return WideKind::SDiv;
    case llvm::Instruction::URem: return WideKind::URem;
    case llvm::Instruction::SRem: return WideKind::SRem;
    case llvm::Instruction::Shl: return WideKind::Shl;
    case llvm::Instruction::LShr: return WideKind::LShr;
    case llvm::Instruction::AShr: return WideKind::AShr;
    case llvm::Instruction::And: return WideKind::And;
    case llvm::Instruction::Or: return WideKind::Or;
    default: return WideKind::Xor;
  }
}

std::optional<FloatKind> float_kind(unsigned op) {
  switch (op) {
    case llvm::Instruction::FAdd: return FloatKind::Add;
    case llvm::Instruction::FSub: return FloatKind::Sub;
    case llvm::Instruction::FMul: return FloatKind::Mul;
    case llvm::Instruction::FDiv: return FloatKind::Div;
    case llvm::Instruction::FRem: return FloatKind::Rem;
    default: return std::nullopt;
  }
}

// In the order of CompareKind and of Opcode::CmpEq onwards.
CompareKind compare_kind(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ: return CompareKind::Eq;
    case llvm::CmpInst::ICMP_NE: return CompareKind::Ne;
    case llvm::CmpInst::ICMP_ULT: return CompareKind::ULt;
    case llvm::CmpInst::ICMP_ULE: return CompareKind::ULe;
    case llvm::CmpInst::ICMP_UGT: return CompareKind::UGt;
    case llvm::CmpInst::ICMP_UGE: return CompareKind::UGe;
    case llvm::CmpInst::ICMP_SLT: return CompareKind::SLt;
    case llvm::CmpInst::ICMP_SLE: return CompareKind::SLe;
    case llvm::CmpInst::ICMP_SGT: return CompareKind::SGt;
    default: return CompareKind::SGe;
  }
}

Opcode compare_opcode(CompareKind kind) {
  return static_cast<Opcode>(static_cast<uint16_t>(Opcode::CmpEq) + 2 * static_cast<uint16_t>(kind));
}

bool is_signed(CompareKind kind) { return kind >= CompareKind::SLt; }

bool has_other(const std::vector<Leaf>& leaves) {
  for (const Leaf& leaf : leaves)
    if (leaf.kind == LeafKind::Other) return true;
  return false;
}

}  // namespace

void FunctionLowering::unsupported(const llvm::Value& value, const std::string& what) {
  const uint32_t count = unit_.slot_count(value.getType());
  const Slot to = count ? result(value) : 0;
  out_.unsupported.push_back(what);
  emit(Opcode::Unsupported, std::min(count, 255u), to, 0, static_cast<uint32_t>(out_.unsupported.size() - 1));
}

void FunctionLowering::lower(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return lower_call(*call);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load: return lower_load(llvm::cast<llvm::LoadInst>(instruction));
    case llvm::Instruction::Store: return lower_store(llvm::cast<llvm::StoreInst>(instruction));
    case llvm::Instruction::Alloca: return lower_alloca(llvm::cast<llvm::AllocaInst>(instruction));
    case llvm::Instruction::AtomicRMW: return lower_update(llvm::cast<llvm::AtomicRMWInst>(instruction));
    case llvm::Instruction::AtomicCmpXchg: return lower_exchange(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case llvm::Instruction::Fence: {
      const auto& fence = llvm::cast<llvm::FenceInst>(instruction);
      const bool signal = fence.getSyncScopeID() == llvm::SyncScope::SingleThread;
      return emit(Opcode::Fence, 0, 0, 0, 0, 0,
                  program::atomic_flags(memory_order(fence.getOrdering()), program::MemoryOrder::NotAtomic,
                                        signal ? program::kSignalFence : 0));
    }
    case llvm::Instruction::Freeze: return alias(instruction, value(instruction.getOperand(0)));
    case llvm::Instruction::LandingPad: return emit(Opcode::CaughtException, 0, result(instruction));
    case llvm::Instruction::GetElementPtr: return lower_gep(llvm::cast<llvm::GetElementPtrInst>(instruction));
    case llvm::Instruction::ICmp: return lower_compare(llvm::cast<llvm::ICmpInst>(instruction));
    case llvm::Instruction::FCmp: return lower_float_compare(llvm::cast<llvm::FCmpInst>(instruction));
    case llvm::Instruction::Select: return lower_select(llvm::cast<llvm::SelectInst>(instruction));
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue:
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ShuffleVector: return lower_vector(instruction);
    case llvm::Instruction::FNeg: {
      const std::vector<Leaf>& lanes = unit_.leaves(instruction.getType());
      if (has_other(lanes)) return unsupported(instruction, "floating-point type " + text_of(instruction.getType()));
      const Slot source = value(instruction.getOperand(0)), to = result(instruction);
      for (const Leaf& lane : lanes)
        emit(Opcode::FloatUnary, lane.bits, to + lane.slot, source + lane.slot, 0,
             static_cast<int64_t>(program::FloatUnaryKind::Negate));
      return;
    }
    default: break;
  }
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return lower_binary(*binary);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return lower_cast(*cast);
  unsupported(instruction, std::string("instruction '") + instruction.getOpcodeName() + "'");
}

void FunctionLowering::lower_binary(const llvm::BinaryOperator& i) {
  const std::vector<Leaf>& lanes = unit_.leaves(i.getType());
  if (has_other(lanes)) return unsupported(i, "arithmetic on " + text_of(i.getType()));
  if (const auto kind = float_kind(i.getOpcode())) {
    const Slot left = value(i.getOperand(0)), right = value(i.getOperand(1)), to = result(i);
    for (const Leaf& lane : lanes)
      emit(Opcode::FloatBinary, lane.bits, to + lane.slot, left + lane.slot, right + lane.slot,
           static_cast<int64_t>(*kind));
    return;
  }
  if (!lanes.empty() && lanes[0].slots == 2) {
    const Slot left = value(i.getOperand(0)), right = value(i.getOperand(1)), to = result(i);
    for (const Leaf& lane : lanes) lower_wide_binary(i, to + lane.slot, left + lane.slot, right + lane.slot, lane.bits);
    return;
  }
  const Opcode op = integer_opcode(i.getOpcode());
  const llvm::Value *first = i.getOperand(0), *second = i.getOperand(1);
  if (i.isCommutative() && llvm::isa<llvm::Constant>(first)) std::swap(first, second);
  const Slot left = value(first);
  std::vector<Operand> rights;
  for (uint32_t n = 0; n < lanes.size(); ++n) rights.push_back(operand(second, n));
  const Slot to = result(i);
  for (uint32_t n = 0; n < lanes.size(); ++n)
    emit_binary(op, lanes[n].bits, to + lanes[n].slot, left + lanes[n].slot, rights[n]);
  if (op == Opcode::Sub && llvm::isa<llvm::PtrToIntInst>(first) && llvm::isa<llvm::PtrToIntInst>(second))
    out_.code.back().flags = program::kPointerDifference;
}

// 65 to 128 bits. Narrower than 128: the unused high bits are kept zero.
void FunctionLowering::lower_wide_binary(const llvm::BinaryOperator& i, Slot to, Slot left, Slot right, uint32_t bits) {
  const WideKind kind = wide_kind(i.getOpcode());
  const auto widen = [&](Slot from) {  // sign-extended copy
    const Slot up = fresh(2), down = fresh(2), amount = number(128 - bits);
    emit(Opcode::WideBinary, 128, up, from, amount, static_cast<int64_t>(WideKind::Shl));
    emit(Opcode::WideBinary, 128, down, up, amount, static_cast<int64_t>(WideKind::AShr));
    return down;
  };
  if (bits < 128 && (kind == WideKind::AShr || kind == WideKind::SDiv || kind == WideKind::SRem)) {
    left = widen(left);
    if (kind != WideKind::AShr) right = widen(right);
  }
  emit(Opcode::WideBinary, 128, to, left, right, static_cast<int64_t>(kind));
  if (bits < 128) emit(Opcode::AndI, 64, to + 1, to + 1, 0, static_cast<int64_t>((uint64_t{1} << (bits - 64)) - 1));
}

void FunctionLowering::lower_compare(const llvm::ICmpInst& i) {
  const std::vector<Leaf>& lanes = unit_.leaves(i.getOperand(0)->getType());
  const std::vector<Leaf>& results = unit_.leaves(i.getType());
  if (has_other(lanes)) return unsupported(i, "comparison of " + text_of(i.getOperand(0)->getType()));
  const llvm::Value *first = i.getOperand(0), *second = i.getOperand(1);
  llvm::CmpInst::Predicate predicate = i.getPredicate();
  if (llvm::isa<llvm::Constant>(first) && !llvm::isa<llvm::Constant>(second)) {
    std::swap(first, second);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  const CompareKind kind = compare_kind(predicate);
  const Slot left = value(first);
  if (!lanes.empty() && lanes[0].slots == 2) {
    Slot right = value(second), from = left;
    const Slot to = result(i);
    for (uint32_t n = 0; n < lanes.size(); ++n) {
      Slot a = from + lanes[n].slot, b = right + lanes[n].slot;
      if (lanes[n].bits < 128 && is_signed(kind)) {  // compare with the sign bit on top
        const Slot amount = number(128 - lanes[n].bits), a2 = fresh(2), b2 = fresh(2);
        emit(Opcode::WideBinary, 128, a2, a, amount, static_cast<int64_t>(WideKind::Shl));
        emit(Opcode::WideBinary, 128, b2, b, amount, static_cast<int64_t>(WideKind::Shl));
        a = a2;
        b = b2;
      }
      emit(Opcode::WideCompare, 128, to + results[n].slot, a, b, static_cast<int64_t>(kind));
    }
    return;
  }
  std::vector<Operand> rights;
  for (uint32_t n = 0; n < lanes.size(); ++n) rights.push_back(operand(second, n));
  const Slot to = result(i);
  for (uint32_t n = 0; n < lanes.size(); ++n)
    emit_binary(compare_opcode(kind), lane_width(lanes[n]), to + results[n].slot, left + lanes[n].slot, rights[n]);
}

void FunctionLowering::lower_float_compare(const llvm::FCmpInst& i) {
  const std::vector<Leaf>& lanes = unit_.leaves(i.getOperand(0)->getType());
  if (has_other(lanes)) return unsupported(i, "comparison of " + text_of(i.getOperand(0)->getType()));
  const std::vector<Leaf>& results = unit_.leaves(i.getType());
  const Slot left = value(i.getOperand(0)), right = value(i.getOperand(1)), to = result(i);
  for (uint32_t n = 0; n < lanes.size(); ++n)
    emit(Opcode::FloatCompare, lanes[n].bits, to + results[n].slot, left + lanes[n].slot, right + lanes[n].slot,
         static_cast<int64_t>(i.getPredicate()));
}

void FunctionLowering::lower_select(const llvm::SelectInst& i) {
  const uint32_t count = unit_.slot_count(i.getType());
  const Slot condition = value(i.getCondition());
  const Slot yes = value(i.getTrueValue()), no = value(i.getFalseValue());
  const Slot to = result(i);
  if (!i.getCondition()->getType()->isVectorTy()) {
    for (uint32_t k = 0; k < count; ++k) emit(Opcode::Select, 64, to + k, condition, yes + k, no + k);
    return;
  }
  uint32_t lane_number = 0;
  for (const Leaf& lane : unit_.leaves(i.getType())) {
    for (uint32_t k = 0; k < lane.slots; ++k)
      emit(Opcode::Select, 64, to + lane.slot + k, condition + lane_number, yes + lane.slot + k, no + lane.slot + k);
    ++lane_number;
  }
}

void FunctionLowering::lower_cast(const llvm::CastInst& i) {
  const llvm::Value* source = i.getOperand(0);
  const std::vector<Leaf>& from = unit_.leaves(source->getType());
  const std::vector<Leaf>& to = unit_.leaves(i.getType());
  if (i.getOpcode() == llvm::Instruction::BitCast) return lower_bitcast(i, source);
  if (folds_into_index(i)) return;
  if (has_other(from) || has_other(to))
    return unsupported(i, "conversion from " + text_of(source->getType()) + " to " + text_of(i.getType()));
  const Slot given = value(source);
  // A value of at most 64 bits is kept zero-extended, so widening it does nothing.
  const bool narrow = from.size() == 1 && from[0].slots == 1 && to[0].slots == 1;
  const bool keeps = i.getOpcode() == llvm::Instruction::ZExt || i.getOpcode() == llvm::Instruction::PtrToInt ||
                     i.getOpcode() == llvm::Instruction::IntToPtr || i.getOpcode() == llvm::Instruction::AddrSpaceCast;
  if (narrow && keeps && lane_width(to[0]) >= lane_width(from[0])) return alias(i, given);
  if (from.size() == 1 && i.getOpcode() == llvm::Instruction::Trunc && from[0].slots == 2 && to[0].bits == 64)
    return alias(i, given);
  const Slot target = result(i);
  for (size_t n = 0; n < to.size(); ++n) lower_cast_lane(i, from[n], to[n], given + from[n].slot, target + to[n].slot);
}

void FunctionLowering::lower_cast_lane(const llvm::CastInst& i, const Leaf& from, const Leaf& to, Slot source,
                                       Slot target) {
  const uint32_t from_bits = lane_width(from), to_bits = lane_width(to);
  switch (i.getOpcode()) {
    case llvm::Instruction::Trunc:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::AddrSpaceCast:
      if (to.slots == 2) {
        if (from.slots == 1) return emit(Opcode::WideExtend, from_bits, target, source, 0, 0);
        move(target, source);
        const uint64_t mask = to_bits >= 128 ? ~uint64_t{0} : (uint64_t{1} << (to_bits - 64)) - 1;
        return emit(Opcode::AndI, 64, target + 1, source + 1, 0, static_cast<int64_t>(mask));
      }
      if (to_bits >= from_bits) return move(target, source);
      return emit(Opcode::Truncate, to_bits, target, source);
    case llvm::Instruction::SExt:
      if (to.slots == 1) return emit(Opcode::SignExtend, to_bits, target, source, 0, from_bits);
      if (from.slots == 1) {
        emit(Opcode::WideExtend, from_bits, target, source, 0, 1);
      } else {
        const Slot amount = number(128 - from_bits), up = fresh(2);
        emit(Opcode::WideBinary, 128, up, source, amount, static_cast<int64_t>(WideKind::Shl));
        emit(Opcode::WideBinary, 128, target, up, amount, static_cast<int64_t>(WideKind::AShr));
      }
      if (to_bits < 128)
        emit(Opcode::AndI, 64, target + 1, target + 1, 0, static_cast<int64_t>((uint64_t{1} << (to_bits - 64)) - 1));
      return;
    case llvm::Instruction::FPTrunc:
    case llvm::Instruction::FPExt: return emit(Opcode::FloatConvert, to_bits, target, source, 0, from_bits);
    case llvm::Instruction::UIToFP: return emit(Opcode::IntToFloat, to_bits, target, source, 0, from_bits, 0);
    case llvm::Instruction::SIToFP: return emit(Opcode::IntToFloat, to_bits, target, source, 0, from_bits, 1);
    case llvm::Instruction::FPToUI: return emit(Opcode::FloatToInt, to_bits, target, source, 0, from_bits, 0);
    case llvm::Instruction::FPToSI: return emit(Opcode::FloatToInt, to_bits, target, source, 0, from_bits, 1);
    default: return undefined(target, to.slots);
  }
}

// The bits of a value as they lie in memory, in words of 64.
std::vector<Slot> FunctionLowering::pack(llvm::Type* type, Slot given) {
  const uint64_t total = unit_.layout.getTypeSizeInBits(type).getFixedValue();
  const auto words = static_cast<uint32_t>((total + 63) / 64);
  std::vector<Slot> packed(words, kNoSlot);
  uint64_t at = 0;
  for (const Leaf& lane : unit_.leaves(type)) {
    const uint32_t width = lane_width(lane);
    for (uint32_t k = 0; k < lane.slots; ++k, at += std::min(64u, width)) {
      Slot part = given + lane.slot + k;
      if (at % 64) {
        const Slot shifted = fresh(1);
        emit(Opcode::ShlI, 64, shifted, part, 0, static_cast<int64_t>(at % 64));
        part = shifted;
      }
      Slot& word = packed[at / 64];
      if (word == kNoSlot) {
        word = part;
      } else {
        const Slot joined = fresh(1);
        emit(Opcode::Or, 64, joined, word, part);
        word = joined;
      }
    }
  }
  return packed;
}

// The same bits as another type. Lanes are packed into 64-bit words and taken apart again.
void FunctionLowering::lower_bitcast(const llvm::Value& i, const llvm::Value* source) {
  const std::vector<Leaf>& from = unit_.leaves(source->getType());
  const std::vector<Leaf>& to = unit_.leaves(i.getType());
  const Slot given = value(source);
  bool same = from.size() == to.size();
  for (size_t n = 0; same && n < from.size(); ++n) same = lane_width(from[n]) == lane_width(to[n]);
  if (same) return alias(i, given);
  const std::vector<Slot> packed = pack(source->getType(), given);
  const Slot target = result(i);
  uint64_t at = 0;
  for (const Leaf& lane : to) {
    const uint32_t width = lane_width(lane);
    for (uint32_t k = 0; k < lane.slots; ++k, at += std::min(64u, width)) {
      Slot word = packed[at / 64];
      if (at % 64) {
        const Slot shifted = fresh(1);
        emit(Opcode::LShrI, 64, shifted, word, 0, static_cast<int64_t>(at % 64));
        word = shifted;
      }
      if (width < 64)
        emit(Opcode::Truncate, width, target + lane.slot + k, word);
      else
        move(target + lane.slot + k, word);
    }
  }
}

}  // namespace heddle::frontend
