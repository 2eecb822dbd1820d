// The loop that runs guest code until something visible is pending. Built with GCC -O3 -fno-gcse -fno-crossjumping,
// which keep one indirect jump per operation. Without that the speed halves.
#include "server/machine/interpreter.h"
#include "server/machine/hashing.h"
#include "server/machine/memory/stack_escape.h"
#include "server/machine/operations.h"
#include "server/machine/state.h"

namespace heddle::machine {

template <bool kHash, bool kSymbolic>
Stop Machine::State::run(Thread& t, Code first) {
  static const void* const kLabels[] = {
#define HEDDLE_CODE(Name) &&op_##Name,
#include "server/machine/code/code.def"
#undef HEDDLE_CODE
  };
  Object* const* const chunks = memory_.chunks();
  const CallInfo* const calls = image_->calls.data();
  const uint32_t mark = undo_.mark();
  const uint32_t fast_epoch =
      spin_.records_reads() || options_.record_plain_accesses || latest_access_ ? ~0u : clocks_.now(t);
  const Decoded* ip = code_ + t.pc;
  const Decoded* entry = ip;
  uint64_t* r = t.stack + t.fp;
  int64_t fuel = fuel_;
  uint64_t address = 0;
  uint32_t access_size = 0;
  if constexpr (kSymbolic)
    if (!before_symbolic(t, first)) goto visible;
  goto* kLabels[static_cast<uint32_t>(first)];

symbolic:
  __attribute__((unused));
  if constexpr (kSymbolic) {
    HEDDLE_SYNC();
    if (!before_symbolic(t, ip->code)) goto visible;
    goto* kLabels[static_cast<uint32_t>(ip->code)];
  }

op_ThreadEnd:
  HEDDLE_SYNC();
  t.result = r[0];
  HEDDLE_COUNT();
  fuel_ = fuel;
  return Stop::ThreadEnd;
op_Nop:
  HEDDLE_NEXT();
op_Const:
  D = IMM;
  HEDDLE_NEXT();
op_Move:
  D = A;
  HEDDLE_NEXT();
op_Select:
  D = A != 0 ? B : r[IMM];
  HEDDLE_NEXT();
op_ThreadLocalAddress:
  HEDDLE_SYNC();
  D = thread_local_address(t, ip->a) + IMM;
  HEDDLE_NEXT();
op_UndefinedSymbol:
  HEDDLE_SYNC();
  fault_unknown(t, "uses", ip->a);
  goto faulted;

  BINARY(Add, a + b, a + b, a + b)
  BINARY(Sub, a - b, a - b, a - b)
  BINARY(Mul, a * b, a * b, a * b)
  // By more than the width: as x86-64 does it, which counts modulo 32 or 64.
  BINARY(Shl, a << (b & 63), a << (b & 31), b < w ? a << b : 0)
  BINARY(LShr, a >> (b & 63), a >> (b & 31), b < w ? a >> b : 0)
  BINARY(AShr, static_cast<uint64_t>(static_cast<int64_t>(a) >> (b & 63)), static_cast<int32_t>(a) >> (b & 31),
         static_cast<uint64_t>(signed_of(a, w) >> (b < w ? b : 63)))
  COMPARE(CmpSLt, <)
  COMPARE(CmpSLe, <=)
  COMPARE(CmpSGt, >)
  COMPARE(CmpSGe, >=)
  PLAIN(And, &)
  PLAIN(Or, |)
  PLAIN(Xor, ^)
  PLAIN(CmpEq, ==)
  PLAIN(CmpNe, !=)
  PLAIN(CmpULt, <)
  PLAIN(CmpULe, <=)
  PLAIN(CmpUGt, >)
  PLAIN(CmpUGe, >=)
  DIVIDE(UDiv, a / b, false)
  DIVIDE(URem, a % b, false)
  DIVIDE(SDiv, signed_divide(a, b, w), division_overflows(a, b, w))
  DIVIDE(SRem, signed_remainder(a, b, w), division_overflows(a, b, w))
  BRANCH(BrEq, a == b, a == b)
  BRANCH(BrNe, a != b, a != b)
  BRANCH(BrULt, a < b, a < b)
  BRANCH(BrULe, a <= b, a <= b)
  BRANCH(BrUGt, a > b, a > b)
  BRANCH(BrUGe, a >= b, a >= b)
  SIGNED_BRANCH(BrSLt, <)
  SIGNED_BRANCH(BrSLe, <=)
  SIGNED_BRANCH(BrSGt, >)
  SIGNED_BRANCH(BrSGe, >=)
op_SignExtend8:
  D = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(A))) & IMM;
  HEDDLE_NEXT();
op_SignExtend16:
  D = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(A))) & IMM;
  HEDDLE_NEXT();
op_SignExtend32:
  D = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(A))) & IMM;
  HEDDLE_NEXT();
op_SignExtendN:
  D = static_cast<uint64_t>(signed_of(A, ip->b)) & IMM;
  HEDDLE_NEXT();
  FLOATS(Add, +)
  FLOATS(Sub, -)
  FLOATS(Mul, *)
  FLOATS(Div, /)
op_Value:
  HEDDLE_SYNC();
  if (HEDDLE_UNLIKELY(!execute_value(t, *ip, r, t.pc))) goto faulted;
  HEDDLE_NEXT();
op_PointerIndex64:
  D = A + B * IMM;
  HEDDLE_NEXT();
op_PointerIndexN:
  D = A + static_cast<uint64_t>(signed_of(B, ip->width)) * IMM;
  HEDDLE_NEXT();

  SIZED(1, uint8_t)
  SIZED(2, uint16_t)
  SIZED(4, uint32_t)
  SIZED(8, uint64_t)
op_LoadWide: {
  HEDDLE_SYNC();
  const uint64_t p = A + IMM;
  const uint32_t size = (ip->width + 7u) / 8;
  Object* const o = readable(t, {p}, size);
  if (o == nullptr) goto faulted;
  if (root_.tracking && !(ip->flags & kLocal)) access_shared(t, *o, p, size, false);
  uint64_t value[2] = {0, 0};
  __builtin_memcpy(value, o->data + static_cast<uint32_t>(p), size);
  D = value[0];
  if (ip->width > 64) r[ip->dst + 1] = value[1];
  HEDDLE_NEXT();
}
op_StoreWide: {
  HEDDLE_SYNC();
  const uint64_t p = A + IMM;
  const uint32_t size = (ip->width + 7u) / 8;
  Object* const o = writable(t, {p}, size);
  if (o == nullptr) goto faulted;
  if (root_.tracking && !(ip->flags & kLocal)) access_shared(t, *o, p, size, true);
  ++t.stores;
  const uint64_t value[2] = {B, ip->width > 64 ? r[ip->b + 1] : 0};
  before_store(*o, p, static_cast<uint32_t>(p), size);
  __builtin_memcpy(o->data + static_cast<uint32_t>(p), value, size);
  after_store(*o, p, static_cast<uint32_t>(p), size);
  HEDDLE_NEXT();
}
op_MemoryCopy:
  HEDDLE_SYNC();
  fuel -= static_cast<int64_t>(r[IMM] / 64) * kFuelPerOperation;
  if (!copy(t, {A}, {B}, r[IMM], ip->flags & 4, ip->flags & kLocal)) goto faulted;
  HEDDLE_NEXT();
op_MemorySet:
  HEDDLE_SYNC();
  fuel -= static_cast<int64_t>(r[IMM] / 64) * kFuelPerOperation;
  if (!fill(t, {A}, static_cast<uint8_t>(B), r[IMM], ip->flags & kLocal)) goto faulted;
  HEDDLE_NEXT();
op_StackAllocate:
  HEDDLE_SYNC();
  D = make_stack_object(t, IMM, static_cast<uint16_t>(ip->b), ip->a != 0);
  if (HEDDLE_UNLIKELY(D == 0)) goto faulted;
  HEDDLE_NEXT();
op_StackAllocateDynamic:
  HEDDLE_SYNC();
  D = make_stack_object(t, multiply_clamped(A, IMM), static_cast<uint16_t>(ip->b));
  if (HEDDLE_UNLIKELY(D == 0)) goto faulted;
  HEDDLE_NEXT();
op_StackSave:
  D = t.stack_objects;
  HEDDLE_NEXT();
op_StackRestore:
  HEDDLE_SYNC();
  end_stack_objects(t, static_cast<uint32_t>(A), false);
  HEDDLE_NEXT();
op_LifetimeStart:
  HEDDLE_SYNC();
  end_lifetime(t, A, true);
  if (HEDDLE_UNLIKELY(fault_raised_)) goto faulted;
  HEDDLE_NEXT();
op_LifetimeEnd:
  HEDDLE_SYNC();
  end_lifetime(t, A, false);
  if (HEDDLE_UNLIKELY(fault_raised_)) goto faulted;
  HEDDLE_NEXT();
op_Pause:
  t.pause_hint = true;
  HEDDLE_NEXT();
op_VisibleAccess:
  if (!root_.tracking) goto* kLabels[static_cast<uint32_t>(image_->code[static_cast<size_t>(ip - code_)].code)];
  goto visible;
  LOCAL_ATOMICS(1, uint8_t)
  LOCAL_ATOMICS(2, uint16_t)
  LOCAL_ATOMICS(4, uint32_t)
  LOCAL_ATOMICS(8, uint64_t)
op_LocalAtomic:
  HEDDLE_SYNC();
  if (!perform_local_atomic(t)) goto faulted;
  HEDDLE_NEXT();
op_VisibleAtomic:
op_CallVisible:
visible:
  HEDDLE_SYNC();
  HEDDLE_COUNT();
  fuel_ = fuel;
  return Stop::Visible;
op_Jump:
  HEDDLE_GO(static_cast<int32_t>(ip->dst));
op_Branch:
  HEDDLE_GO(A != 0 ? static_cast<int32_t>(ip->dst) : static_cast<int32_t>(ip->b));
op_Switch: {
  const int32_t to = find_case(image_->switches[static_cast<size_t>(ip->imm)], A);
  HEDDLE_GO(to - (ip - code_));
}
op_IndirectJump: {
  const SwitchInfo& info = image_->switches[static_cast<size_t>(ip->imm)];
  if (A >= info.targets.size()) {
    HEDDLE_SYNC();
    fault(t, FaultKind::Trap, "jumps to an address that is no label");
    goto faulted;
  }
  HEDDLE_GO(info.targets[A] - (ip - code_));
}

op_Return0: {
  LEAVE_FRAME();
  if (ip[-1].width != 0) r[ip[-1].dst] = 0;
  HEDDLE_DISPATCH();
}
op_Return1: {
  const uint64_t value = A;
  if (HEDDLE_UNLIKELY(may_be_stack_address(value))) note_stack_address(*this, t, 0, value);
  LEAVE_FRAME();
  if (ip[-1].width != 0) r[ip[-1].dst] = value;
  HEDDLE_DISPATCH();
}
op_ReturnN: {
  const uint64_t* from = &A;
  const uint32_t count = ip->b;
  for (uint32_t n = 0; n < count; ++n)
    if (HEDDLE_UNLIKELY(may_be_stack_address(from[n]))) note_stack_address(*this, t, 0, from[n]);
  LEAVE_FRAME();
  for (uint32_t n = 0; n < ip[-1].width && n < count; ++n) r[ip[-1].dst + n] = from[n];
  HEDDLE_DISPATCH();
}
op_Call: {
  const CallInfo& info = calls[ip->imm];
  HEDDLE_SYNC();
  const uint32_t fp = t.top + kHeader, top = fp + info.frame_slots;
  if (HEDDLE_UNLIKELY(top > t.stack_capacity)) {
    if (!reserve_stack(t, top)) goto faulted;
    r = t.stack + t.fp;
  }
  if (HEDDLE_UNLIKELY(t.depth >= t.depth_most)) {
    too_deep(t);
    goto faulted;
  }
  functions_run_[info.callee.index] = 1;
  uint64_t* const n = t.stack + fp;
  for (uint32_t k = 0; k < kDirectSlots; ++k) n[k] = r[info.direct_slots[k]];  // without asking how many there are
  if (HEDDLE_UNLIKELY(info.slots > kDirectSlots)) {
    const uint32_t* const slots = image_->argument_slots.data() + info.first_slot;
    for (uint32_t k = kDirectSlots; k < info.slots; ++k) n[k] = r[slots[k]];
  }
  n[-1] = (t.pc + 1) | uint64_t{t.fp} << 32;
  n[-2] = info.callee.index | uint64_t{t.stack_objects} << 32;
  n[-3] = reinterpret_cast<uint64_t>(t.stack_memory);
  n[-4] = 0;
  n[-5] = ip->flags & kLibrary ? r[-5] : t.pc;
  n[-6] = 0;
  t.fp = fp;
  t.top = top;
  ++t.depth;
  HEDDLE_COUNT();
  r = n;
  ip = code_ + ip->a;
  entry = ip;
  if (HEDDLE_UNLIKELY(fuel < 0)) goto out_of_fuel;
  HEDDLE_DISPATCH();
}
op_CallVariadic:
op_CallIndirect: {
  HEDDLE_SYNC();
  HEDDLE_COUNT();
  const CallTarget target = prepare_call(*this, t, *ip, r);
  if (target.kind == CallTarget::Faulted) goto faulted_counted;
  if (target.kind == CallTarget::Builtin) {
    fuel_ = fuel;
    const Status status = run_builtin(t, target.builtin, target.info, t.pc, target.variables);
    if (HEDDLE_UNLIKELY(status == Status::Faulted)) goto faulted_counted;
    if (status == Status::Done)
      ++t.pc;
    else if (HEDDLE_UNLIKELY(t.phase != Phase::Normal))
      return Stop::Visible;
    HEDDLE_RELOAD();
    HEDDLE_DISPATCH();
  }
  if (target.kind == CallTarget::Visible) {
    fuel_ = fuel;
    return Stop::Visible;
  }
  HEDDLE_RELOAD();
  if (HEDDLE_UNLIKELY(fuel < 0)) goto out_of_fuel;
  HEDDLE_DISPATCH();
}
op_Allocate: {  // malloc, new: imm as in CallBuiltin, a: the size, b: AllocatedBy
  HEDDLE_SYNC();
  const Pointer block = make_heap_object(t, A, false, static_cast<AllocatedBy>(ip->b));
  if (HEDDLE_UNLIKELY(block.bits == 0)) {
    if (fault_raised_) goto faulted;
    goto op_CallBuiltin;  // says so, by errno or by an exception
  }
  D = block.bits;
  HEDDLE_NEXT();
}
op_Release:
  HEDDLE_SYNC();
  if (HEDDLE_UNLIKELY(!free_heap_object(t, {A}, static_cast<AllocatedBy>(ip->b)))) goto faulted;
  HEDDLE_NEXT();
op_CallBuiltin: {
  const CallInfo& info = calls[ip->imm];
  HEDDLE_SYNC();
  HEDDLE_COUNT();
  fuel_ = fuel;
  const Status status = run_builtin(t, info.callee.builtin, &info, t.pc);
  fuel = fuel_;
  if (HEDDLE_UNLIKELY(status == Status::Faulted)) goto faulted_counted;
  if (status == Status::Done) {
    ++ip;
    entry = ip;
    r = t.stack + t.fp;
    HEDDLE_DISPATCH();
  }
  if (HEDDLE_UNLIKELY(t.phase != Phase::Normal)) return Stop::Visible;
  HEDDLE_RELOAD();
  HEDDLE_DISPATCH();
}
op_BuiltinReturn: {
  HEDDLE_SYNC();
  fuel_ = fuel;
  const Status status = resume_builtin(t);
  fuel = fuel_;
  if (HEDDLE_UNLIKELY(status == Status::Faulted)) goto faulted_counted;
  if (HEDDLE_UNLIKELY(t.phase != Phase::Normal)) return Stop::Visible;
  HEDDLE_RELOAD();
  HEDDLE_DISPATCH();
}
op_CallUnknown: {
  HEDDLE_SYNC();
  const CallInfo& info = image_->calls[static_cast<size_t>(ip->imm)];
  const UnknownCall policy = unknown_call(t);
  if (policy == UnknownCall::Fresh) goto visible;
  if (policy == UnknownCall::Ignore) {
    for (uint32_t n = 0; n < ip->width; ++n) r[ip->dst + n] = 0;
    HEDDLE_NEXT();
  }
  fault_unknown(t, "calls", info.callee.index);
  goto faulted;
}
op_CaughtException:
  D = t.exception;
  r[ip->dst + 1] = t.selector;
  HEDDLE_NEXT();
op_Resume:
  HEDDLE_SYNC();
  HEDDLE_COUNT();
  fuel_ = fuel;
  if (!resume_unwinding(t, A)) goto faulted_counted;
  if (HEDDLE_UNLIKELY(t.phase != Phase::Normal)) return Stop::Visible;
  HEDDLE_RELOAD();
  HEDDLE_DISPATCH();
op_VariadicStart:
  HEDDLE_SYNC();
  if (!start_variadic(*this, t, {A}, r[-4])) goto faulted;
  HEDDLE_NEXT();
op_VariadicCopy:
  HEDDLE_SYNC();
  if (!copy(t, {A}, {B}, 24, true, false)) goto faulted;
  HEDDLE_NEXT();
op_Unreachable:
  HEDDLE_SYNC();
  fault(t, FaultKind::Trap, "reaches code that the compiler holds unreachable");
  goto faulted;
op_Trap:
  HEDDLE_SYNC();
  fault(t, FaultKind::Trap, "executes a trap");
  goto faulted;
op_Unsupported:
  HEDDLE_SYNC();
  raise_unsupported(*this, t, *ip);
  goto faulted;

divided_by_zero:
  HEDDLE_SYNC();
  fault(t, FaultKind::DivisionByZero, "divides by zero");
  goto faulted;
divided_by_minus_one:
  HEDDLE_SYNC();
  fault(t, FaultKind::Trap, "divides the smallest integer by -1: the result does not fit");
  goto faulted;
bad_load:
  HEDDLE_SYNC();
  bad_access(t, {address}, access_size, "reads", false);
  goto faulted;
bad_store:
  HEDDLE_SYNC();
  bad_access(t, {address}, access_size, "writes", true);
  goto faulted;
faulted:
  HEDDLE_COUNT();
faulted_counted:
  fuel_ = fuel;
  return fault_raised_ ? Stop::Faulted : Stop::Exited;
out_of_fuel:
  HEDDLE_SYNC();
  fuel_ = fuel;
  return Stop::Loop;
}

template Stop Machine::State::run<false, false>(Thread&, Code);
template Stop Machine::State::run<true, false>(Thread&, Code);
template Stop Machine::State::run<false, true>(Thread&, Code);
template Stop Machine::State::run<true, true>(Thread&, Code);

}  // namespace heddle::machine
