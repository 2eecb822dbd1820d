// What the result of an operation depends on.
#include "server/machine/symbolic/values.h"

#include <algorithm>

#include "server/machine/interpreter.h"
#include "server/machine/library/model.h"
#include "server/program/operands.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;
using program::OverflowKind;
using Kind = symbolic::Operation;

namespace {

uint32_t distance(Code code, Code first) { return static_cast<uint32_t>(code) - static_cast<uint32_t>(first); }
bool within(Code code, Code first, Code last) { return code >= first && code <= last; }
// Comparisons in the order of code.def.
enum Comparison : uint32_t { kEq, kNe, kULt, kULe, kUGt, kUGe, kSLt, kSLe, kSGt, kSGe };

}  // namespace

Expression SymbolicValues::resized(Expression e, uint32_t width) {
  const uint32_t own = symbols_.pool().at(e).width;
  if (own == width) return e;
  return own < width ? symbols_.pool().extend(Kind::ZeroExtend, width, e) : symbols_.pool().extract(0, width, e);
}

Expression SymbolicValues::value(uint32_t slot, uint32_t width) {
  const Expression known = own(slot);
  if (known.number != 0) return resized(known, width);
  return number(width, thread_.stack[thread_.fp + slot] & width_mask(width));
}

Expression SymbolicValues::nonzero(uint32_t slot, uint32_t width) {
  const Expression known = value(slot, width);
  return negation(binary(Kind::Equal, known, number(width, 0)));
}

void SymbolicValues::define_word(uint32_t word, Expression e) {
  const bool known = symbols_.pool().at(e).operation == Kind::Constant;
  symbols_.set_slot(thread_.id, word, known ? Expression{} : e);
}

// Notes a limit, unless the path leaves only one value, as after a choice among the elements of an array.
void SymbolicValues::make_concrete(uint32_t slot) {
  const Expression known = own(slot);
  if (known.number == 0) return;
  const Expression here = binary(Kind::Equal, known, number(symbols_.pool().at(known).width, symbols_.value_of(known)));
  const bool limits = symbols_.can_hold(negation(here));
  if (limits) note_made_concrete(state_, thread_);
  if (!limits || !state_.options_.exact_spins) symbols_.assume(here);
  forget(slot);
}

Expression SymbolicValues::compare(uint32_t family, Expression a, Expression b) {
  switch (family) {
    case kEq: return binary(Kind::Equal, a, b);
    case kNe: return negation(binary(Kind::Equal, a, b));
    case kULt: return binary(Kind::UnsignedLess, a, b);
    case kULe: return negation(binary(Kind::UnsignedLess, b, a));
    case kUGt: return binary(Kind::UnsignedLess, b, a);
    case kUGe: return negation(binary(Kind::UnsignedLess, a, b));
    case kSLt: return binary(Kind::SignedLess, a, b);
    case kSLe: return negation(binary(Kind::SignedLess, b, a));
    case kSGt: return binary(Kind::SignedLess, b, a);
    default: return negation(binary(Kind::SignedLess, a, b));
  }
}

// Of a fused branch.
Expression SymbolicValues::comparison(const Decoded& d) {
  const uint32_t place = distance(d.code, Code::BrEqR);
  const bool immediate = place % 2 == 1;
  uint32_t family = place / 2, width = 64;
  if (d.code >= Code::BrSLt32R) {
    family -= 4;
    width = 32;
  }
  return compare(family, value(d.a, width),
                 immediate ? number(width, static_cast<uint64_t>(d.imm)) : value(d.b, width));
}

bool SymbolicValues::apply_arithmetic() {
  const Decoded& d = operation_;
  constexpr Kind kSized[] = {Kind::Add,       Kind::Subtract,          Kind::Multiply,
                             Kind::ShiftLeft, Kind::LogicalShiftRight, Kind::ArithmeticShiftRight};
  constexpr Kind kPlain[] = {Kind::And,
                             Kind::Or,
                             Kind::Xor,
                             Kind::UnsignedDivide,
                             Kind::SignedDivide,
                             Kind::UnsignedRemainder,
                             Kind::SignedRemainder};
  const bool sized = within(d.code, Code::Add64R, Code::CmpSGeNI), plain = within(d.code, Code::AndR, Code::CmpUGeI);
  if (!sized && !plain) return false;
  const uint32_t place = distance(d.code, sized ? Code::Add64R : Code::AndR);
  const uint32_t family = place / (sized ? 6 : 2);
  const bool immediate = sized ? place % 6 >= 3 : place % 2 == 1;
  if (!depends(d.a) && (immediate || !depends(d.b))) {
    forget(d.dst);
    return true;
  }
  uint32_t width = d.width;
  if (sized) width = place % 3 == 0 ? 64 : place % 3 == 1 ? 32 : width;
  const Expression a = value(d.a, width);
  Expression b = immediate ? number(width, static_cast<uint64_t>(d.imm)) : value(d.b, width);
  const bool shifts = sized && family >= 3 && family < 6;
  if (shifts && width >= 32) b = binary(Kind::And, b, number(width, width - 1));  // as the interpreter does
  if (sized)
    define(d.dst, family < 6 ? binary(kSized[family], a, b) : compare(family - 6 + kSLt, a, b));
  else
    define(d.dst, family < 7 ? binary(kPlain[family], a, b) : compare(family - 7, a, b));
  return true;
}

Expression SymbolicValues::loaded(uint64_t pointer, uint32_t size) {
  symbolic::Pool& pool = symbols_.pool();
  const Object& o = *state_.memory_.find(pointer);
  Expression result;
  for (uint32_t n = 0; n < size; ++n) {
    const auto [whole, part] = symbols_.byte(pointer + n);
    Expression byte;
    if (whole.number == 0) {
      byte = number(8, o.data[static_cast<uint32_t>(pointer) + n]);
    } else {
      const uint32_t width = pool.at(whole).width;
      byte = resized(pool.extract(8 * part, std::min(8u, width - 8 * part), whole), 8);
    }
    result = n == 0 ? byte : pool.concatenate(byte, result);
  }
  return result;
}

void SymbolicValues::load(uint32_t slot, uint64_t pointer, uint32_t size) {
  if (symbols_.any_in(pointer, size))
    define(slot, loaded(pointer, size));
  else
    forget(slot);
}

void SymbolicValues::store(uint64_t pointer, uint32_t size, Expression e) {
  if (symbols_.pool().at(e).operation == Kind::Constant) return symbols_.clear_bytes(pointer, size);
  const Expression whole = resized(e, size * 8);
  for (uint32_t n = 0; n < size; ++n) symbols_.set_byte(pointer + n, whole, static_cast<uint8_t>(n));
}

bool SymbolicValues::apply_access() {
  const Decoded& d = operation_;
  const uint64_t* const r = thread_.stack + thread_.fp;
  if (d.code == Code::LoadWide || d.code == Code::StoreWide) {
    make_concrete(d.a);
    const uint64_t pointer = r[d.a] + static_cast<uint64_t>(d.imm);
    if (d.code == Code::LoadWide)
      load_words(d.dst, pointer, d.width);
    else
      make_words_concrete(d.b, d.width);
    return true;
  }
  if (!within(d.code, Code::LoadL1, Code::StoreXS8)) return false;
  const bool indexed = d.code >= Code::LoadXL1;
  const uint32_t size = 1u << distance(d.code, Code::LoadL1) % 4;
  const auto address = [&] {
    if (!indexed) return r[d.a] + static_cast<uint64_t>(d.imm);
    return r[d.a] + r[d.b] * static_cast<uint64_t>(d.imm >> 32) +
           static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(d.imm)));
  };
  const auto faults = [&] {
    return uint64_t{static_cast<uint32_t>(address())} + size > state_.memory_.find(address())->size;
  };
  const bool load_it = d.code < Code::StoreL1 || within(d.code, Code::LoadXL1, Code::LoadXS8);
  const bool known = !depends(d.a) && !(indexed && depends(d.b));
  if (load_it && !known) {
    const Expression found = loaded_from_table();
    if (found.number != 0) {
      define(d.dst, found);
      return true;
    }
  }
  if (known || !faults() || !always_outside(address_of(d), size)) {
    make_concrete(d.a);
    if (indexed) make_concrete(d.b);
  }
  const uint64_t pointer = address();
  if (faults()) {
    if (load_it) forget(d.dst);
    return true;
  }
  if (load_it) {
    load(d.dst, pointer, size);
    return true;
  }
  const uint32_t from = indexed ? d.dst : d.b;
  const bool known_before = !symbols_.any_in(pointer, size);
  if (depends(from)) {
    const Expression stored = value(from, size * 8);
    if (known_before || loaded(pointer, size) != stored) ++thread_.stores;  // other inputs change it
    store(pointer, size, stored);
  } else {
    symbols_.clear_bytes(pointer, size);
  }
  return true;
}

// Of two numbers of 64 bits: by their halves, since no expression is wider.
Expression SymbolicValues::product_overflows(Expression a, Expression b, bool with_sign) {
  const Expression zero = number(64, 0);
  const Expression negative = binary(Kind::Xor, bit(a, 63), bit(b, 63));
  const auto magnitude = [&](Expression e) {
    return with_sign ? symbols_.pool().select(bit(e, 63), binary(Kind::Subtract, zero, e), e) : e;
  };
  const Expression x = magnitude(a), y = magnitude(b);
  const auto high = [&](Expression e) { return binary(Kind::LogicalShiftRight, e, number(64, 32)); };
  const auto low = [&](Expression e) { return binary(Kind::And, e, number(64, 0xffffffff)); };
  const auto is_zero = [&](Expression e) { return binary(Kind::Equal, e, zero); };
  const Expression crossed = binary(Kind::Add, binary(Kind::Multiply, high(x), low(y)),
                                    binary(Kind::Multiply, low(x), high(y)));  // exact if one of the high halves is 0
  const Expression carried = binary(Kind::Add, crossed, high(binary(Kind::Multiply, low(x), low(y))));
  const Expression both = negation(binary(Kind::Or, is_zero(high(x)), is_zero(high(y))));
  const Expression beyond = binary(Kind::Or, both, negation(is_zero(high(carried))));
  if (!with_sign) return beyond;
  const Expression least = number(64, uint64_t{1} << 63);
  const Expression most = symbols_.pool().select(negative, least, number(64, (uint64_t{1} << 63) - 1));
  return binary(Kind::Or, beyond, binary(Kind::UnsignedLess, most, binary(Kind::Multiply, x, y)));
}

void SymbolicValues::apply_overflow(const Instruction& i) {
  const uint32_t width = i.width;
  const auto kind = static_cast<OverflowKind>(i.imm);
  const bool with_sign = kind == OverflowKind::SAdd || kind == OverflowKind::SSub || kind == OverflowKind::SMul;
  const bool adds = kind == OverflowKind::SAdd || kind == OverflowKind::UAdd;
  const bool subtracts = kind == OverflowKind::SSub || kind == OverflowKind::USub;
  const bool multiplies = kind == OverflowKind::SMul || kind == OverflowKind::UMul;
  if ((!adds && !subtracts && !multiplies) || width > 64) return apply_rest();
  const Kind operation = adds ? Kind::Add : subtracts ? Kind::Subtract : Kind::Multiply;
  symbolic::Pool& pool = symbols_.pool();
  const Expression a = value(i.a, width), b = value(i.b, width);
  if (multiplies && width > 32 && depends(i.a) && depends(i.b)) return apply_rest();  // too hard for the solver
  const Expression result = binary(operation, a, b);
  Expression overflow;
  const Kind extend = with_sign ? Kind::SignExtend : Kind::ZeroExtend;
  if (multiplies && width > 32) {
    const Expression wide_a = pool.extend(extend, 64, a), wide_b = pool.extend(extend, 64, b);
    const Expression exact = binary(Kind::Multiply, wide_a, wide_b);
    const Expression cut = negation(binary(Kind::Equal, exact, pool.extend(extend, 64, result)));
    overflow = binary(Kind::Or, product_overflows(wide_a, wide_b, with_sign), cut);
  } else if (width < 64) {
    const Expression exact = binary(operation, pool.extend(extend, 64, a), pool.extend(extend, 64, b));
    overflow = negation(binary(Kind::Equal, exact, pool.extend(extend, 64, result)));
  } else if (!with_sign) {
    overflow = adds ? binary(Kind::UnsignedLess, result, a) : binary(Kind::UnsignedLess, a, b);
  } else {
    const Expression other = adds ? binary(Kind::Xor, b, result) : binary(Kind::Xor, a, b);
    const Expression changed = binary(Kind::And, binary(Kind::Xor, a, result), other);
    overflow = pool.extract(63, 1, changed);
  }
  define(i.dst, result);
  define(i.dst + 1, overflow);
}

void SymbolicValues::apply_value() {
  const Instruction& i = state_.image_->program->instruction(state_.image_->address(thread_.pc));
  if (i.op == Opcode::MinMax && i.width <= 64 && (depends(i.a) || depends(i.b))) {
    const Expression a = value(i.a, i.width), b = value(i.b, i.width);
    const auto kind = static_cast<program::MinMaxKind>(i.imm);
    const bool with_sign = kind == program::MinMaxKind::SMin || kind == program::MinMaxKind::SMax;
    const bool least = kind == program::MinMaxKind::SMin || kind == program::MinMaxKind::UMin;
    const Expression less = binary(with_sign ? Kind::SignedLess : Kind::UnsignedLess, a, b);
    return define(i.dst, least ? symbols_.pool().select(less, a, b) : symbols_.pool().select(less, b, a));
  }
  if (i.op == Opcode::Overflow && (depends(i.a) || depends(i.b))) return apply_overflow(i);
  if (apply_bits(i)) return;
  apply_rest();
}

// At a call of a function that nothing defines: nothing else of its arguments matters.
bool SymbolicValues::fills_by(uint32_t slot) const {
  const auto& arguments = state_.image_->calls[static_cast<size_t>(operation_.imm)].site->arguments;
  const auto is = [&](uint32_t n) { return n < arguments.size() && arguments[n].slot == slot; };
  const std::vector<UnknownFill>& fills = state_.unknown_policy(thread_).fills;
  return std::any_of(fills.begin(), fills.end(), [&](const UnknownFill& fill) {
    return is(fill.argument) || (fill.size_argument && is(*fill.size_argument));
  });
}

// Floating point, calls of the library and of what the machine does not follow: they get numbers.
void SymbolicValues::apply_rest() {
  const CodeAddress at = state_.image_->address(thread_.pc);
  if (!at.function.valid()) return;
  const program::Function& function = state_.image_->program->function(at.function);
  const Instruction& i = state_.image_->program->instruction(at);
  const VisibleRow* row = state_.visible_row(thread_);
  const bool chooses = row != nullptr && row->kind == OperationKind::DataChoice && row->size != kReceives;
  const bool stays = chooses || shows_only(state_, thread_);
  const bool undefined = operation_.code == Code::CallUnknown && state_.unknown_call(thread_) != UnknownCall::Stop;
  for_each_use(function, i, [&](program::Slot slot, uint32_t count) {
    for (uint32_t n = 0; n < count && !stays; ++n)
      if (!undefined || fills_by(slot)) make_concrete(slot + n);
  });
  for_each_definition(function, i, [&](program::Slot slot, uint32_t count) {
    for (uint32_t n = 0; n < count; ++n) forget(slot + n);
  });
}

bool SymbolicValues::returns_an_order() const {
  const uint64_t link = thread_.stack[thread_.fp - 1];
  return static_cast<uint32_t>(link) == kBuiltinReturnCode &&
         models::compares(thread_.stack[static_cast<uint32_t>(link >> 32) - 4]);
}

// A result goes to the caller's slots.
void SymbolicValues::hand_back(uint32_t first, uint32_t count) {
  const uint64_t link = thread_.stack[thread_.fp - 1];
  const auto to = static_cast<uint32_t>(link);
  if (to <= kBuiltinReturnCode) {  // to a model, or the thread ends
    for (uint32_t n = 0; n < count && !returns_an_order(); ++n) make_concrete(first + n);
    symbols_.clear_slots(thread_.id, thread_.fp);  // what the model calls next gets the same words
    return;
  }
  const Decoded& call = state_.image_->code[to - 1];
  for (uint32_t n = 0; n < call.width; ++n) {
    const uint32_t word = static_cast<uint32_t>(link >> 32) + call.dst + n;
    symbols_.set_slot(thread_.id, word, n < count ? own(first + n) : Expression{});
  }
}

// A call whose function is found as it runs. False: its arguments become numbers.
bool SymbolicValues::apply_found_call() {
  symbols_.clear_slots(thread_.id, thread_.top);
  const CallInfo& info = state_.image_->calls[static_cast<size_t>(operation_.imm)];
  Callee callee = info.callee;
  if (operation_.code == Code::CallIndirect) {
    make_concrete(operation_.a);
    if (!state_.image_->callee_of(thread_.stack[thread_.fp + operation_.a], callee)) return false;
  }
  if (callee.kind != Callee::Kind::Function) return false;
  const FunctionInfo& function = state_.image_->functions[callee.index];
  if (function.variadic) return false;
  const uint32_t fp = thread_.top + kHeader;
  for (uint32_t n = 0; n < function.parameter_slots; ++n)
    symbols_.set_slot(thread_.id, fp + n,
                      n < info.slots ? own(state_.image_->argument_slots[info.first_slot + n]) : Expression{});
  return true;
}

bool SymbolicValues::apply_call() {
  const Decoded& d = operation_;
  switch (d.code) {
    case Code::Return0: hand_back(0, 0); return true;
    case Code::Return1: hand_back(d.a, 1); return true;
    case Code::ReturnN: hand_back(d.a, d.b); return true;
    case Code::Call: {
      const CallInfo& info = state_.image_->calls[static_cast<size_t>(d.imm)];
      const uint32_t fp = thread_.top + kHeader;
      symbols_.clear_slots(thread_.id, thread_.top);
      const uint32_t* const slots = &state_.image_->argument_slots[info.first_slot];
      const FunctionInfo& callee = state_.image_->functions[info.callee.index];
      const bool inserts = info.slots == 2 && callee.inserts_number;
      if (inserts && is_standard_output(state_, thread_.stack[thread_.fp + slots[0]])) return true;
      for (uint32_t n = 0; n < info.slots; ++n) symbols_.set_slot(thread_.id, fp + n, own(slots[n]));
      return true;
    }
    case Code::CallVariadic: return apply_found_call();
    case Code::CallIndirect: return apply_found_call() || apply_text();
    case Code::CallBuiltin: symbols_.clear_slots(thread_.id, thread_.top); return apply_text();
    case Code::CallVisible: symbols_.clear_slots(thread_.id, thread_.top); return false;
    default: return false;
  }
}

void SymbolicValues::apply() {
  const Decoded& d = operation_;
  if (apply_arithmetic() || apply_access() || apply_call()) return;
  symbolic::Pool& pool = symbols_.pool();
  switch (d.code) {
    case Code::Nop:
    case Code::Jump:
    case Code::Branch:
    case Code::Pause: return;
    case Code::Const: return forget(d.dst);
    case Code::Move: return symbols_.set_slot(thread_.id, thread_.fp + d.dst, own(d.a));
    case Code::Select: {
      const auto otherwise = static_cast<uint32_t>(d.imm);
      if (!depends(d.a)) {
        const bool first = thread_.stack[thread_.fp + d.a] != 0;
        return symbols_.set_slot(thread_.id, thread_.fp + d.dst, own(first ? d.b : otherwise));
      }
      return define(d.dst, pool.select(nonzero(d.a, 64), value(d.b, 64), value(otherwise, 64)));
    }
    case Code::SignExtend8:
    case Code::SignExtend16:
    case Code::SignExtend32:
    case Code::SignExtendN: {
      const uint32_t from = d.code == Code::SignExtendN ? d.b : 8u << distance(d.code, Code::SignExtend8);
      if (!depends(d.a)) return forget(d.dst);
      return define(d.dst, pool.extend(Kind::SignExtend, d.width, value(d.a, from)));
    }
    case Code::PointerIndex64:
    case Code::PointerIndexN: {
      if (!depends(d.a) && !depends(d.b)) return forget(d.dst);
      const uint32_t width = d.code == Code::PointerIndex64 ? 64 : d.width;
      const Expression index = pool.extend(Kind::SignExtend, 64, value(d.b, width));
      const Expression scaled = binary(Kind::Multiply, index, number(64, static_cast<uint64_t>(d.imm)));
      return define(d.dst, binary(Kind::Add, value(d.a, 64), scaled));
    }
    case Code::Value: return apply_value();
    default: break;
  }
  if (within(d.code, Code::BrEqR, Code::BrSGe32I)) return;
  if (within(d.code, Code::LocalAtomicStore1, Code::LocalAtomicUpdate8)) return apply_local_atomic();
  if (d.code == Code::MemoryCopy || d.code == Code::MemorySet) return apply_move();
  if (d.code == Code::LocalAtomic) return make_concrete(d.a);  // perform_local_atomic does the rest
  if (d.code == Code::Switch && symbols_.answers(thread_.id) != 0) return;
  apply_rest();
}

}  // namespace heddle::machine
