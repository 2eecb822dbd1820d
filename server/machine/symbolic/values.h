// Expressions for the operands of one operation, and for what it leaves.
//
// In:      a machine and a thread that stands at the operation.
// Out:     the possible outcomes of the operation; the tables of unknown values as they are after it.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; an operation that knows no expressions makes its operands concrete and is noted in the tables.
// From:    SMT-LIB, theory FixedSizeBitVectors; the widths are those of `server/program/opcodes.def`.
#pragma once

#include "server/machine/state.h"
#include "server/machine/symbolic/symbols.h"

namespace heddle::machine {

class SymbolicValues {
 public:
  SymbolicValues(Machine::State& state, Thread& thread)
      : state_(state), thread_(thread), symbols_(*state.symbols_), operation_(state.image_->code[thread.pc]) {}

  std::vector<Expression> outcomes();
  uint64_t possible();  // which of them can hold now, as bits
  void answer(uint32_t outcome);
  // The same for a pending compare-exchange, whose word others may still change. 0: no input decides.
  uint64_t possible_exchange();
  void answer_exchange(uint32_t outcome);
  // What its outcomes assume if the word is this; none: no input decides.
  std::vector<Expression> exchange_finding(Expression word);
  Expression assumption();  // what __VERIFIER_assume was given; a constant if it does not depend on an input
  void assume(Expression condition);
  void apply();
  // Around the store of an atomic operation: the first before it, the second after it.
  void begin_atomic(const program::Instruction& i, Pointer at);
  void end_atomic(bool writes);
  bool stores_unknown() const { return stored_[0].number + stored_[1].number != 0; }
  void make_concrete(uint32_t slot);
  // What memory holds there, up to eight bytes; number 0: no input decides it.
  Expression held(Pointer at, uint32_t size) {
    return symbols_.any_in(at.bits, size) ? loaded(at.bits, size) : Expression{};
  }
  Expression nonzero(uint32_t slot, uint32_t width);

 private:
  Expression number(uint32_t width, uint64_t value) { return symbols_.pool().constant(width, value); }
  Expression binary(symbolic::Operation operation, Expression a, Expression b) {
    return symbols_.pool().binary(operation, a, b);
  }
  Expression negation(Expression bit) { return symbols_.pool().complement(bit); }
  bool is_true(Expression e) const {
    const symbolic::Node& node = symbols_.pool().at(e);
    return node.operation == symbolic::Operation::Constant && node.value != 0;
  }
  Expression resized(Expression e, uint32_t width);
  Expression own(uint32_t slot) const { return symbols_.slot(thread_.id, thread_.fp + slot); }
  bool depends(uint32_t slot) const { return own(slot).number != 0; }
  Expression value(uint32_t slot, uint32_t width);
  void define(uint32_t slot, Expression e) { define_word(thread_.fp + slot, e); }
  void define_word(uint32_t word, Expression e);
  void forget(uint32_t slot) { symbols_.set_slot(thread_.id, thread_.fp + slot, {}); }

  Expression compare(uint32_t family, Expression a, Expression b);
  Expression comparison(const Decoded& d);
  Expression address_of(const Decoded& d);
  uint64_t base_of(Expression address);
  bool always_outside(Expression address, uint32_t size);
  std::vector<Expression> places(Expression address, uint32_t size, uint32_t step);
  std::vector<Expression> objects(uint32_t slot);
  std::vector<Expression> sizes(uint32_t slot);
  uint64_t stride_of(Expression e);
  std::vector<Expression> divisions(const Decoded& d, bool with_sign);
  std::vector<Expression> cases(const Decoded& d);
  // A load at an unknown place of memory whose content is known: inside of it, or anywhere else.
  std::vector<Expression> table_outcomes();
  Expression loaded_from_table();
  Expression table_at(Expression& inside);
  std::vector<Expression> text_outcomes();  // of the library function that is called, the next question
  bool apply_text();
  std::vector<Expression> atomic_places();
  std::vector<Expression> exchange_outcomes(const program::Instruction& i, Pointer at);
  uint64_t possible_of(const std::vector<Expression>& all);

  bool apply_arithmetic();
  bool apply_access();
  bool apply_call();
  bool apply_found_call();
  bool fills_by(uint32_t slot) const;
  void apply_local_atomic();
  void apply_value();
  void apply_overflow(const program::Instruction& i);
  Expression product_overflows(Expression a, Expression b, bool with_sign);
  void apply_rest();
  // symbolic/bits.cc
  bool apply_bits(const program::Instruction& i);
  void apply_move();
  std::vector<Expression> counts(const Decoded& d);
  uint64_t room(const Decoded& d);
  Expression bit(Expression e, uint32_t n);
  Expression counted_bits(Expression e, uint32_t width);
  Expression first_bit(Expression e, uint32_t width, bool lowest);
  Expression reversed(Expression e, uint32_t width, uint32_t size);
  Expression unary(program::UnaryKind kind, Expression a, uint32_t width);
  Expression saturating(const program::Instruction& i);
  Expression funnel_shift(const program::Instruction& i);
  void load(uint32_t slot, uint64_t pointer, uint32_t size);
  void store(uint64_t pointer, uint32_t size, Expression e);
  Expression loaded(uint64_t pointer, uint32_t size);
  void load_words(uint32_t slot, uint64_t pointer, uint32_t width);
  void make_words_concrete(uint32_t slot, uint32_t width);
  void begin_exchange(const program::Instruction& i, Pointer at);
  Expression updated(program::UpdateKind kind, Expression old, Expression operand);
  void store_later(uint32_t slot, uint32_t width);
  void hand_back(uint32_t first, uint32_t count);
  bool returns_an_order() const;  // to a model that looks only at the sign

  Machine::State& state_;
  Thread& thread_;
  Symbols& symbols_;
  const Decoded& operation_;
  // By an atomic operation, of eight bytes each; a word without an expression is a number.
  Expression stored_[2];
  Pointer stored_at_;
  uint32_t stored_size_ = 0;
};

bool asks_input(const Machine::State& state, const Thread& t);
// Bits of the unknown value that the call at pc returns; 0: it is none.
uint32_t input_width(const Machine::State& s, const Thread& t);
uint64_t take_input(Machine::State& s, Thread& t, uint32_t width);
// The inputs at hand became others: all that depends on them gets its new value.
void renew(Machine::State& s);
// Memory is moved with the expressions in it.
bool copy_symbols(Machine::State& s, Thread& t, Pointer to, Pointer from, uint64_t size, bool may_overlap, bool local);
// The call prints and its result is not read: its arguments may stay unknown.
bool shows_only(const Machine::State& s, const Thread& t);
bool is_standard_output(const Machine::State& s, uint64_t stream);
// A model of the library may be what reads.
void before_model_reads(Machine::State& s, const Thread& t, uint64_t pointer, uint64_t size);
// A limit. In execution graphs nothing is assumed there: the thread ends, since events that a revisit keeps would get
// another value.
void note_made_concrete(Machine::State& s, const Thread& t);
void make_bytes_concrete(Machine::State& s, const Thread& t, uint64_t pointer, uint64_t size);

}  // namespace heddle::machine
