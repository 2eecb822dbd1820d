// Atomic operations on unknown values. A compare-exchange is a choice when it is performed: until then other threads
// may store something else. It fails (outcome 0) or succeeds (outcome 1), so far as the path allows it.
#include <algorithm>

#include "server/machine/symbolic/values.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;
using program::UpdateKind;
using Kind = symbolic::Operation;

namespace {

uint32_t size_of(const Instruction& i) { return (i.width + 7u) / 8; }

Pointer place_of(const Instruction& i, const Thread& t) {
  const bool has_offset = i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore;
  return {t.stack[t.fp + i.a] + (has_offset ? static_cast<uint64_t>(i.imm) : 0)};
}

const Instruction& instruction_at(const Machine::State& s, const Thread& t) {
  return s.image_->program->instruction(s.image_->address(t.pc));
}

}  // namespace

std::vector<Expression> SymbolicValues::atomic_places() {
  const Instruction& i = instruction_at(state_, thread_);
  if (i.op == Opcode::Fence) return {};
  const bool has_offset = i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore;
  const uint32_t size = std::max(1, i.width / 8);
  const uint64_t offset = has_offset ? static_cast<uint64_t>(i.imm) : 0;
  return places(binary(Kind::Add, value(i.a, 64), number(64, offset)), size, size);
}

// None: no input decides.
std::vector<Expression> SymbolicValues::exchange_outcomes(const Instruction& i, Pointer at) {
  const uint32_t size = size_of(i), words = i.width > 64 ? 2 : 1;
  if (uint64_t{at.offset()} + size > state_.memory_.find(at.bits)->size) return {};
  if (!symbols_.any_in(at.bits, size) && !depends(i.b) && (words == 1 || !depends(i.b + 1))) return {};
  Expression same = number(1, 1);
  for (uint32_t n = 0; n < words; ++n) {
    const uint32_t part = std::min(size - 8 * n, 8u);
    const Expression found = loaded(at.bits + 8 * n, part);
    same = binary(Kind::And, same, binary(Kind::Equal, found, value(i.b + n, 8 * part)));
  }
  if (symbols_.pool().at(same).operation == Kind::Constant) return {};
  return {negation(same), same};
}

std::vector<Expression> SymbolicValues::exchange_finding(Expression word) {
  const Expression equal =
      binary(Kind::Equal, word, value(instruction_at(state_, thread_).b, symbols_.pool().at(word).width));
  if (symbols_.pool().at(equal).operation == Kind::Constant) return {};
  return {negation(equal), equal};
}

uint64_t SymbolicValues::possible_exchange() {
  const Instruction& i = instruction_at(state_, thread_);
  const std::vector<Expression> all = exchange_outcomes(i, place_of(i, thread_));
  return all.empty() ? 0 : possible_of(all);
}

void SymbolicValues::answer_exchange(uint32_t outcome) {
  const Instruction& i = instruction_at(state_, thread_);
  assume(exchange_outcomes(i, place_of(i, thread_))[outcome]);
}

Expression SymbolicValues::updated(UpdateKind kind, Expression old, Expression operand) {
  const auto choose = [&](Kind less, Expression a, Expression b) {
    return symbols_.pool().select(binary(less, a, b), old, operand);
  };
  const uint32_t width = symbols_.pool().at(old).width;
  switch (kind) {
    case UpdateKind::Exchange: return operand;
    case UpdateKind::Add: return binary(Kind::Add, old, operand);
    case UpdateKind::Sub: return binary(Kind::Subtract, old, operand);
    case UpdateKind::And: return binary(Kind::And, old, operand);
    case UpdateKind::Nand: return binary(Kind::Xor, binary(Kind::And, old, operand), number(width, ~uint64_t{0}));
    case UpdateKind::Or: return binary(Kind::Or, old, operand);
    case UpdateKind::Xor: return binary(Kind::Xor, old, operand);
    case UpdateKind::SMax: return choose(Kind::SignedLess, operand, old);
    case UpdateKind::SMin: return choose(Kind::SignedLess, old, operand);
    case UpdateKind::UMax: return choose(Kind::UnsignedLess, operand, old);
    case UpdateKind::UMin: return choose(Kind::UnsignedLess, old, operand);
    default: return {};  // floating point, and what no C or C++ operation is made of
  }
}

void SymbolicValues::load_words(uint32_t slot, uint64_t pointer, uint32_t width) {
  const uint32_t size = (width + 7u) / 8;
  const bool inside = uint64_t{static_cast<uint32_t>(pointer)} + size <= state_.memory_.find(pointer)->size;
  for (uint32_t n = 0; 8 * n < size; ++n) {
    if (inside)
      load(slot + n, pointer + 8 * n, std::min(size - 8 * n, 8u));
    else
      forget(slot + n);
  }
}

void SymbolicValues::make_words_concrete(uint32_t slot, uint32_t width) {
  make_concrete(slot);
  if (width > 64) make_concrete(slot + 1);
}

void SymbolicValues::store_later(uint32_t slot, uint32_t width) {
  stored_[0] = own(slot);
  if (width > 64) stored_[1] = own(slot + 1);
}

// It stores without a condition.
void SymbolicValues::apply_local_atomic() {
  make_concrete(operation_.a);
  const Instruction& i = instruction_at(state_, thread_);
  const Pointer at = place_of(i, thread_);
  begin_atomic(i, at);
  symbols_.clear_bytes(at.bits, size_of(i));
  end_atomic(true);
}

// What the path has answered decides; if nothing was asked, the word becomes a number.
void SymbolicValues::begin_exchange(const Instruction& i, Pointer at) {
  const uint32_t words = i.width > 64 ? 2 : 1;
  const std::vector<Expression> all = exchange_outcomes(i, at);
  const bool same = !all.empty() && symbols_.value_of(all[1]) != 0;
  if (!all.empty() && symbols_.can_hold(all[same ? 0 : 1])) {
    make_bytes_concrete(state_, thread_, at.bits, size_of(i));
    make_words_concrete(i.b, i.width);
  }
  store_later(static_cast<uint32_t>(i.imm), i.width);
  load_words(i.dst, at.bits, i.width);
  forget(i.dst + words);
}

// Floating point sees numbers.
void SymbolicValues::begin_atomic(const Instruction& i, Pointer at) {
  const uint32_t size = size_of(i);
  symbols_.end_asking(thread_.id);
  stored_[0] = stored_[1] = {};
  stored_at_ = at;
  stored_size_ = size;
  if (uint64_t{at.offset()} + size > state_.memory_.find(at.bits)->size) return;
  switch (i.op) {
    case Opcode::AtomicLoad: return load_words(i.dst, at.bits, i.width);
    case Opcode::AtomicStore: return store_later(i.b, i.width);
    case Opcode::CompareExchange: return begin_exchange(i, at);
    default: break;
  }
  if (i.width <= 64 && (symbols_.any_in(at.bits, size) || depends(i.b))) {
    const Expression old = loaded(at.bits, size);
    const Expression result = updated(static_cast<UpdateKind>(i.imm), old, value(i.b, size * 8));
    if (result.number != 0) {
      define(i.dst, old);
      stored_[0] = result;
      return;
    }
  }
  make_bytes_concrete(state_, thread_, at.bits, size);
  apply_rest();
}

void SymbolicValues::end_atomic(bool writes) {
  for (uint32_t n = 0; n < 2 && writes; ++n)
    if (stored_[n].number != 0) store(stored_at_.bits + 8 * n, std::min(stored_size_ - 8 * n, 8u), stored_[n]);
}

}  // namespace heddle::machine
