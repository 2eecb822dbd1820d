// Unknown values in execution graphs: what a store stored as an expression, and the conditions of a path one by one.
#include "server/machine/symbolic/values.h"

namespace heddle::machine {
namespace {

std::vector<uint32_t> numbers_of(const std::vector<Expression>& expressions) {
  std::vector<uint32_t> numbers;
  for (const Expression expression : expressions) numbers.push_back(expression.number);
  return numbers;
}

bool is_known(const Symbols& symbols, Expression condition) {
  return symbols.pool().at(condition).operation == symbolic::Operation::Constant;
}

}  // namespace

bool Machine::has_unknown() const { return state_->symbols_ != nullptr; }

uint64_t Machine::value_of(const Word& word) const {
  return HEDDLE_LIKELY(word.expression == 0) ? word.value : state_->symbols_->value_of(Expression{word.expression});
}

uint32_t Machine::unknown_stores() const { return has_unknown() ? state_->symbols_->stores_noted() : 0; }

std::vector<uint32_t> Machine::question(ThreadId thread) {
  State& s = *state_;
  Thread& t = *s.threads_[thread.value];
  if (s.symbols_ == nullptr || t.life != Life::Running || t.pending.kind != OperationKind::DataChoice) return {};
  if (asks_input(s, t)) return numbers_of(SymbolicValues(s, t).outcomes());
  if (!stands_at_assumption(thread)) return {};
  const Expression holds = SymbolicValues(s, t).assumption();
  if (is_known(*s.symbols_, holds)) return {};
  return {holds.number, s.symbols_->pool().complement(holds).number};
}

bool Machine::stands_at_assumption(ThreadId thread) const {
  State& s = *state_;
  const Thread& t = *s.threads_[thread.value];
  if (t.phase != Phase::Normal || asks_input(s, t)) return false;
  const VisibleRow* const row = s.visible_row(t);
  return row != nullptr && row->kind == OperationKind::DataChoice && row->values.empty();
}

std::vector<uint32_t> Machine::question_of_exchange(ThreadId thread, const Word& found) {
  State& s = *state_;
  Thread& t = *s.threads_[thread.value];
  if (!t.pending.compares || s.symbols_ == nullptr || t.pending.size > 8) return {};
  const Expression word = found.expression != 0 ? Expression{found.expression}
                                                : s.symbols_->pool().constant(t.pending.size * 8, found.value);
  return numbers_of(SymbolicValues(s, t).exchange_finding(word));
}

bool Machine::can_hold(uint32_t condition) { return state_->symbols_->can_hold({condition}); }

void Machine::assume(uint32_t condition) {
  if (state_->symbols_->assume({condition})) renew(*state_);
}

bool Machine::satisfiable(std::span<const uint32_t> conditions) {
  std::vector<Expression> all;
  for (const uint32_t condition : conditions) all.push_back({condition});
  return state_->symbols_->satisfiable(all);
}

std::vector<uint32_t> Machine::take_assumed() {
  if (!has_unknown()) return {};
  Symbols& symbols = *state_->symbols_;
  const std::vector<uint32_t> assumed = numbers_of(symbols.assumed);
  symbols.assumed.clear();
  return assumed;
}

uint64_t Machine::times_made_concrete() const { return has_unknown() ? state_->symbols_->times_made_concrete : 0; }

}  // namespace heddle::machine
