#include <llvm/IR/IntrinsicsX86.h>

#include "server/frontend/lower/lower_function.h"

namespace heddle::frontend {

using program::FloatKind;
using program::FloatUnaryKind;
using program::MinMaxKind;
using program::OverflowKind;
using program::UnaryKind;

void FunctionLowering::lower_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  if (lower_memory_intrinsic(call, id) || lower_integer_intrinsic(call, id) || lower_float_intrinsic(call, id) ||
      lower_reduction(call, id))
    return;
  switch (id) {
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::pseudoprobe:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_value: return;
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::arithmetic_fence:
    case llvm::Intrinsic::ssa_copy: return alias(call, value(call.getArgOperand(0)));
    case llvm::Intrinsic::is_constant: return emit(Opcode::Const, 64, result(call));
    case llvm::Intrinsic::objectsize: {
      const bool least = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
      const uint64_t unknown = call.getType()->getIntegerBitWidth() == 32 ? 0xffffffffu : ~uint64_t{0};
      return emit(Opcode::Const, 64, result(call), 0, 0, least ? 0 : static_cast<int64_t>(unknown));
    }
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::addressofreturnaddress:
    case llvm::Intrinsic::invariant_start: return emit(Opcode::Const, 64, result(call));
    case llvm::Intrinsic::get_rounding: return emit(Opcode::Const, 64, result(call), 0, 0, 1);  // to nearest
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::ubsantrap: return emit(Opcode::Trap, 0, 0);
    case llvm::Intrinsic::x86_sse2_pause: return emit(Opcode::Pause, 0, 0);
    case llvm::Intrinsic::x86_sse2_mfence:
      return emit(Opcode::Fence, 0, 0, 0, 0, 0, program::atomic_flags(program::MemoryOrder::SequentiallyConsistent));
    case llvm::Intrinsic::x86_sse2_lfence:
      return emit(Opcode::Fence, 0, 0, 0, 0, 0, program::atomic_flags(program::MemoryOrder::Acquire));
    case llvm::Intrinsic::x86_sse_sfence:
      return emit(Opcode::Fence, 0, 0, 0, 0, 0, program::atomic_flags(program::MemoryOrder::Release));
    case llvm::Intrinsic::threadlocal_address: {
      const auto* variable = llvm::dyn_cast<llvm::GlobalValue>(call.getArgOperand(0)->stripPointerCasts());
      if (!variable) break;
      return emit(Opcode::SymbolAddress, 64, result(call), unit_.symbol(*variable).value);
    }
    case llvm::Intrinsic::eh_typeid_for: {  // the object number of the typeinfo, as in CaughtException
      const Slot type = value(call.getArgOperand(0));
      return emit(Opcode::LShrI, 64, result(call), type, 0, 32);
    }
    case llvm::Intrinsic::vastart: return emit(Opcode::VariadicStart, 0, 0, value(call.getArgOperand(0)));
    case llvm::Intrinsic::vaend: return emit(Opcode::VariadicEnd, 0, 0, value(call.getArgOperand(0)));
    case llvm::Intrinsic::vacopy:
      return emit(Opcode::VariadicCopy, 0, 0, value(call.getArgOperand(0)), value(call.getArgOperand(1)));
    default: break;
  }
  unsupported(call, "intrinsic '" + llvm::Intrinsic::getBaseName(id).str() + "'");
}

bool FunctionLowering::lower_memory_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  const auto three = [&](Opcode op, uint8_t flags) {
    const Slot to = value(call.getArgOperand(0)), from = value(call.getArgOperand(1)),
               size = value(call.getArgOperand(2));
    const auto* is_volatile = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(3));
    if (is_volatile && is_volatile->isOne()) flags |= program::kVolatile;
    emit(op, 0, 0, to, from, size, flags);
  };
  switch (id) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline: three(Opcode::MemoryCopy, 0); return true;
    case llvm::Intrinsic::memmove: three(Opcode::MemoryCopy, program::kMayOverlap); return true;
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline: three(Opcode::MemorySet, 0); return true;
    case llvm::Intrinsic::lifetime_start: emit(Opcode::LifetimeStart, 0, 0, value(call.getArgOperand(1))); return true;
    case llvm::Intrinsic::lifetime_end: emit(Opcode::LifetimeEnd, 0, 0, value(call.getArgOperand(1))); return true;
    case llvm::Intrinsic::stacksave: emit(Opcode::StackSave, 0, result(call)); return true;
    case llvm::Intrinsic::stackrestore: emit(Opcode::StackRestore, 0, 0, value(call.getArgOperand(0))); return true;
    case llvm::Intrinsic::ptrmask: {
      const Slot pointer = value(call.getArgOperand(0));
      emit_binary(Opcode::And, 64, result(call), pointer, operand(call.getArgOperand(1)));
      return true;
    }
    default: return false;
  }
}

namespace {

// An intrinsic that is one instruction a lane.
struct Row {
  llvm::Intrinsic::ID id;
  Opcode op;
  int64_t kind;
};

template <typename Kind>
constexpr Row row(llvm::Intrinsic::ID id, Opcode op, Kind kind) {
  return {id, op, static_cast<int64_t>(kind)};
}

}  // namespace

bool FunctionLowering::lower_integer_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  static constexpr Row kRows[] = {
      row(llvm::Intrinsic::ctpop, Opcode::Unary, UnaryKind::PopulationCount),
      row(llvm::Intrinsic::ctlz, Opcode::Unary, UnaryKind::LeadingZeros),
      row(llvm::Intrinsic::cttz, Opcode::Unary, UnaryKind::TrailingZeros),
      row(llvm::Intrinsic::bswap, Opcode::Unary, UnaryKind::ByteSwap),
      row(llvm::Intrinsic::bitreverse, Opcode::Unary, UnaryKind::BitReverse),
      row(llvm::Intrinsic::abs, Opcode::Unary, UnaryKind::Absolute),
      row(llvm::Intrinsic::smin, Opcode::MinMax, MinMaxKind::SMin),
      row(llvm::Intrinsic::smax, Opcode::MinMax, MinMaxKind::SMax),
      row(llvm::Intrinsic::umin, Opcode::MinMax, MinMaxKind::UMin),
      row(llvm::Intrinsic::umax, Opcode::MinMax, MinMaxKind::UMax),
      row(llvm::Intrinsic::sadd_sat, Opcode::Saturating, OverflowKind::SAdd),
      row(llvm::Intrinsic::uadd_sat, Opcode::Saturating, OverflowKind::UAdd),
      row(llvm::Intrinsic::ssub_sat, Opcode::Saturating, OverflowKind::SSub),
      row(llvm::Intrinsic::usub_sat, Opcode::Saturating, OverflowKind::USub),
      row(llvm::Intrinsic::sshl_sat, Opcode::Saturating, OverflowKind::SShl),
      row(llvm::Intrinsic::ushl_sat, Opcode::Saturating, OverflowKind::UShl),
      row(llvm::Intrinsic::sadd_with_overflow, Opcode::Overflow, OverflowKind::SAdd),
      row(llvm::Intrinsic::uadd_with_overflow, Opcode::Overflow, OverflowKind::UAdd),
      row(llvm::Intrinsic::ssub_with_overflow, Opcode::Overflow, OverflowKind::SSub),
      row(llvm::Intrinsic::usub_with_overflow, Opcode::Overflow, OverflowKind::USub),
      row(llvm::Intrinsic::smul_with_overflow, Opcode::Overflow, OverflowKind::SMul),
      row(llvm::Intrinsic::umul_with_overflow, Opcode::Overflow, OverflowKind::UMul),
      row(llvm::Intrinsic::fshl, Opcode::FunnelShift, 0),
      row(llvm::Intrinsic::fshr, Opcode::FunnelShift, 1),
  };
  for (const Row& entry : kRows) {
    if (entry.id != id) continue;
    const std::vector<Leaf>& lanes = unit_.leaves(call.getArgOperand(0)->getType());
    const bool overflow = entry.op == Opcode::Overflow;
    for (const Leaf& lane : lanes)
      if (lane.slots != 1 || (overflow && lanes.size() != 1)) return false;
    const Slot first = value(call.getArgOperand(0));
    const bool unary = entry.op == Opcode::Unary;
    const Slot second = unary ? 0 : value(call.getArgOperand(1));
    const Slot third = entry.op == Opcode::FunnelShift ? value(call.getArgOperand(2)) : 0;
    const Slot to = result(call);
    for (const Leaf& lane : lanes) {
      if (entry.op == Opcode::FunnelShift)
        emit(entry.op, lane.bits, to + lane.slot, first + lane.slot, second + lane.slot, third + lane.slot,
             static_cast<uint8_t>(entry.kind));
      else
        emit(entry.op, lane.bits, to + lane.slot, first + lane.slot, unary ? 0 : second + lane.slot, entry.kind);
    }
    return true;
  }
  return false;
}

bool FunctionLowering::lower_float_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  static constexpr Row kRows[] = {
      row(llvm::Intrinsic::fabs, Opcode::FloatUnary, FloatUnaryKind::Absolute),
      row(llvm::Intrinsic::sqrt, Opcode::FloatUnary, FloatUnaryKind::SquareRoot),
      row(llvm::Intrinsic::floor, Opcode::FloatUnary, FloatUnaryKind::Floor),
      row(llvm::Intrinsic::ceil, Opcode::FloatUnary, FloatUnaryKind::Ceiling),
      row(llvm::Intrinsic::trunc, Opcode::FloatUnary, FloatUnaryKind::Truncate),
      row(llvm::Intrinsic::round, Opcode::FloatUnary, FloatUnaryKind::Round),
      row(llvm::Intrinsic::roundeven, Opcode::FloatUnary, FloatUnaryKind::RoundEven),
      row(llvm::Intrinsic::rint, Opcode::FloatUnary, FloatUnaryKind::Rint),
      row(llvm::Intrinsic::nearbyint, Opcode::FloatUnary, FloatUnaryKind::NearbyInt),
      row(llvm::Intrinsic::sin, Opcode::FloatUnary, FloatUnaryKind::Sine),
      row(llvm::Intrinsic::cos, Opcode::FloatUnary, FloatUnaryKind::Cosine),
      row(llvm::Intrinsic::exp, Opcode::FloatUnary, FloatUnaryKind::Exp),
      row(llvm::Intrinsic::exp2, Opcode::FloatUnary, FloatUnaryKind::Exp2),
      row(llvm::Intrinsic::log, Opcode::FloatUnary, FloatUnaryKind::Log),
      row(llvm::Intrinsic::log2, Opcode::FloatUnary, FloatUnaryKind::Log2),
      row(llvm::Intrinsic::log10, Opcode::FloatUnary, FloatUnaryKind::Log10),
      row(llvm::Intrinsic::minnum, Opcode::FloatBinary, FloatKind::Minimum),
      row(llvm::Intrinsic::maxnum, Opcode::FloatBinary, FloatKind::Maximum),
      row(llvm::Intrinsic::copysign, Opcode::FloatBinary, FloatKind::CopySign),
      row(llvm::Intrinsic::pow, Opcode::FloatBinary, FloatKind::Power),
  };
  const auto floats_only = [&] {
    for (const Leaf& lane : unit_.leaves(call.getArgOperand(0)->getType()))
      if (lane.kind != LeafKind::Float) return false;
    return true;
  };
  for (const Row& entry : kRows) {
    if (entry.id != id) continue;
    if (!floats_only()) return false;
    const bool unary = entry.op == Opcode::FloatUnary;
    const Slot first = value(call.getArgOperand(0)), second = unary ? 0 : value(call.getArgOperand(1));
    const Slot to = result(call);
    for (const Leaf& lane : unit_.leaves(call.getType()))
      emit(entry.op, lane.bits, to + lane.slot, first + lane.slot, unary ? 0 : second + lane.slot, entry.kind);
    return true;
  }
  if (id == llvm::Intrinsic::fma || id == llvm::Intrinsic::fmuladd) {
    if (!floats_only()) return false;
    const Slot a = value(call.getArgOperand(0)), b = value(call.getArgOperand(1)), c = value(call.getArgOperand(2));
    const Slot to = result(call);
    for (const Leaf& lane : unit_.leaves(call.getType())) {
      if (id == llvm::Intrinsic::fma) {
        emit(Opcode::FloatFused, lane.bits, to + lane.slot, a + lane.slot, b + lane.slot, c + lane.slot);
        continue;
      }
      const Slot product = fresh(lane.slots);  // the base architecture has no fused form: two roundings
      emit(Opcode::FloatBinary, lane.bits, product, a + lane.slot, b + lane.slot, static_cast<int64_t>(FloatKind::Mul));
      emit(Opcode::FloatBinary, lane.bits, to + lane.slot, product, c + lane.slot,
           static_cast<int64_t>(FloatKind::Add));
    }
    return true;
  }
  if (id == llvm::Intrinsic::powi && floats_only() && !call.getType()->isVectorTy()) {
    const Leaf lane = unit_.leaves(call.getType())[0];
    const Slot base = value(call.getArgOperand(0)), whole = value(call.getArgOperand(1)), exponent = fresh(lane.slots);
    emit(Opcode::IntToFloat, lane.bits, exponent, whole, 0, 32, 1);
    emit(Opcode::FloatBinary, lane.bits, result(call), base, exponent, static_cast<int64_t>(FloatKind::Power));
    return true;
  }
  if (id == llvm::Intrinsic::is_fpclass && floats_only() && !call.getArgOperand(0)->getType()->isVectorTy()) {
    lower_class_test(call);
    return true;
  }
  return false;
}

// __builtin_reduce_add and the like: lane by lane, the first one first.
bool FunctionLowering::lower_reduction(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
  static constexpr Row kRows[] = {
      {llvm::Intrinsic::vector_reduce_add, Opcode::Add, 0},
      {llvm::Intrinsic::vector_reduce_mul, Opcode::Mul, 0},
      {llvm::Intrinsic::vector_reduce_and, Opcode::And, 0},
      {llvm::Intrinsic::vector_reduce_or, Opcode::Or, 0},
      {llvm::Intrinsic::vector_reduce_xor, Opcode::Xor, 0},
      row(llvm::Intrinsic::vector_reduce_smin, Opcode::MinMax, MinMaxKind::SMin),
      row(llvm::Intrinsic::vector_reduce_smax, Opcode::MinMax, MinMaxKind::SMax),
      row(llvm::Intrinsic::vector_reduce_umin, Opcode::MinMax, MinMaxKind::UMin),
      row(llvm::Intrinsic::vector_reduce_umax, Opcode::MinMax, MinMaxKind::UMax),
      row(llvm::Intrinsic::vector_reduce_fmin, Opcode::FloatBinary, FloatKind::Minimum),
      row(llvm::Intrinsic::vector_reduce_fmax, Opcode::FloatBinary, FloatKind::Maximum),
  };
  for (const Row& entry : kRows) {
    if (entry.id != id) continue;
    const llvm::Value* const vector = call.getArgOperand(0);
    const std::vector<Leaf>& lanes = unit_.leaves(vector->getType());
    for (const Leaf& lane : lanes)
      if (lane.slots != 1 || (entry.op == Opcode::FloatBinary && lane.kind != LeafKind::Float)) return false;
    const Slot first = value(vector);
    Slot so_far = first + lanes[0].slot;
    for (size_t n = 1; n < lanes.size(); ++n) {
      const Slot next = fresh(1);
      emit(entry.op, lanes[n].bits, next, so_far, first + lanes[n].slot, entry.kind);
      so_far = next;
    }
    alias(call, so_far);
    return true;
  }
  return false;
}

Slot FunctionLowering::with_constant(Opcode op, uint32_t width, Slot from, uint64_t constant) {
  const Slot made = fresh(1);
  emit(op, width, made, from, 0, static_cast<int64_t>(constant));
  return made;
}

FunctionLowering::FloatPattern FunctionLowering::float_pattern(Slot number, uint32_t bits) {
  FloatPattern out;
  if (bits == 80) {
    // Exponent and the top of the mantissa decide; the rest only whether it is all zero.
    const Slot rest = with_constant(Opcode::ShlI, 64, number, 1), any = with_constant(Opcode::CmpNeI, 64, rest, 0);
    const Slot high = fresh(1), low = with_constant(Opcode::LShrI, 64, number, 32), joined = fresh(1);
    const Slot exponent = with_constant(Opcode::AndI, 64, number + 1, 0x7fff),
               shifted = with_constant(Opcode::ShlI, 64, exponent, 32);
    const Slot fraction = with_constant(Opcode::AndI, 64, low, 0x7fffffff);
    emit(Opcode::Or, 64, high, shifted, fraction);
    emit(Opcode::Or, 64, joined, high, any);
    out.sign = with_constant(Opcode::LShrI, 64, number + 1, 15);
    out.magnitude = joined;
    out.width = 64;
    out.infinity = uint64_t{0x7fff} << 32;
    out.least_normal = uint64_t{1} << 32;
    out.quiet = out.infinity | 0x40000000;
    return out;
  }
  out.width = bits;
  out.sign = with_constant(Opcode::LShrI, bits, number, bits - 1);
  out.magnitude = with_constant(Opcode::AndI, bits, number, (uint64_t{1} << (bits - 1)) - 1);
  const uint32_t mantissa = bits == 32 ? 23 : 52;
  out.infinity = bits == 32 ? 0x7f800000 : 0x7ff0000000000000ull;
  out.least_normal = uint64_t{1} << mantissa;
  out.quiet = out.infinity | uint64_t{1} << (mantissa - 1);
  return out;
}

// __builtin_isinf, isnormal and the like: comparisons of the bit pattern without its sign.
void FunctionLowering::lower_class_test(const llvm::CallBase& call) {
  const auto mask = static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue());
  const FloatPattern number =
      float_pattern(value(call.getArgOperand(0)), unit_.leaves(call.getArgOperand(0)->getType())[0].bits);
  const Slot positive = with_constant(Opcode::CmpEqI, 64, number.sign, 0);
  Slot found = this->number(0);
  const auto include = [&](Slot condition) {
    const Slot joined = fresh(1);
    emit(Opcode::Or, 64, joined, found, condition);
    found = joined;
  };
  const auto both = [&](Slot a, Slot b) {
    const Slot made = fresh(1);
    emit(Opcode::And, 64, made, a, b);
    return made;
  };
  const auto range = [&](uint64_t from, uint64_t to) {  // from <= magnitude < to
    const Slot low = with_constant(Opcode::CmpUGeI, number.width, number.magnitude, from),
               high = with_constant(Opcode::CmpULtI, number.width, number.magnitude, to);
    return both(low, high);
  };
  if (mask & 1) include(range(number.infinity + 1, number.quiet));
  if (mask & 2) include(with_constant(Opcode::CmpUGeI, number.width, number.magnitude, number.quiet));
  const auto signed_class = [&](uint32_t negative_bit, uint32_t positive_bit, uint64_t from, uint64_t to) {
    const bool minus = mask & negative_bit, plus = mask & positive_bit;
    if (!minus && !plus) return;
    const Slot inside = range(from, to);
    include(minus && plus ? inside : both(inside, plus ? positive : number.sign));
  };
  signed_class(4, 512, number.infinity, number.infinity + 1);
  signed_class(8, 256, number.least_normal, number.infinity);
  signed_class(16, 128, 1, number.least_normal);
  signed_class(32, 64, 0, 1);
  alias(call, found);
}

}  // namespace heddle::frontend
