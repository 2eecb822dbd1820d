// Before each operation on a path with unknown values: what its result depends on, and what has to be asked first.
//
// The operation itself runs as always, on the values for the inputs at hand. A question (a branch, a divisor that may
// be zero, an address that depends on an input) is a DataChoice of the thread: each outcome is a condition, and the
// outcomes have the same numbers in every interleaving. Operation::second holds those that are possible, as bits.
#include <bit>
#include <numeric>

#include "server/machine/hashing.h"
#include "server/machine/interpreter.h"
#include "server/machine/symbolic/text.h"
#include "server/machine/symbolic/unknown_call.h"
#include "server/machine/symbolic/values.h"
#include "server/machine/sync/sync.h"
#include "server/program/call_result.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;
using Kind = symbolic::Operation;

namespace {

constexpr size_t kOutcomesMost = 64;  // bits of Operation::second

uint32_t access_size(Code code) {
  return 1u << (static_cast<uint32_t>(code) - static_cast<uint32_t>(Code::LoadL1)) % 4;
}
bool is_access(Code code) { return code >= Code::LoadL1 && code <= Code::StoreXS8; }
bool is_indexed(Code code) { return code >= Code::LoadXL1; }

bool is_atomic(Code code) {
  return code == Code::VisibleAtomic || (code >= Code::LocalAtomicStore1 && code <= Code::LocalAtomicUpdate8) ||
         code == Code::LocalAtomic;
}

// As a store of the machine's own, which no table of unknown values notices.
void renew_byte(Machine::State& s, Object& o, uint64_t pointer, uint8_t byte) {
  const auto offset = static_cast<uint32_t>(pointer);
  if (o.data[offset] == byte) return;
  s.symbols_->copies = true;
  s.before_store(o, pointer, offset, 1);
  o.data[offset] = byte;
  s.after_store(o, pointer, offset, 1);
  s.symbols_->copies = false;
}

}  // namespace

// The inputs at hand became others: what depends on them gets its new value.
void renew(Machine::State& s) {
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {
    Thread* t = s.threads_[id];
    if (t == nullptr || t->life != Life::Running) continue;
    s.touch_running(*t);
    t->frames_hash = 0;
    for (uint32_t word = 0; word < std::min(s.symbols_->slots_end(id), t->top); ++word) {
      const Expression expression = s.symbols_->slot(id, word);
      if (expression.number == 0) continue;
      if (s.undo_.mark() != 0) s.undo_.word(&t->stack[word]);
      t->stack[word] = s.symbols_->value_of(expression);
    }
    for (uint32_t fp = t->fp; fp >= kHeader; fp = static_cast<uint32_t>(t->stack[fp - 1] >> 32)) {
      if (t->stack[fp - 6] == 0) continue;
      if (s.undo_.mark() != 0) s.undo_.word(&t->stack[fp - 6]);
      t->stack[fp - 6] = 0;
    }
  }
  for (const auto& [first, granule] : s.symbols_->granules()) {
    Object& o = *s.memory_.find(first);
    for (uint32_t n = 0; n < 8; ++n) {
      if (granule.whole[n].number == 0 || static_cast<uint32_t>(first) + n >= o.size) continue;
      const auto byte = static_cast<uint8_t>(s.symbols_->value_of(granule.whole[n]) >> (8 * granule.part[n]));
      renew_byte(s, o, first + n, byte);
    }
  }
}

Expression SymbolicValues::address_of(const Decoded& d) {
  if (!is_indexed(d.code)) return binary(Kind::Add, value(d.a, 64), number(64, static_cast<uint64_t>(d.imm)));
  const uint64_t scale = static_cast<uint64_t>(d.imm >> 32);
  const auto offset = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(d.imm)));
  const Expression scaled = binary(Kind::Multiply, value(d.b, 64), number(64, scale));
  return binary(Kind::Add, binary(Kind::Add, value(d.a, 64), scaled), number(64, offset));
}

// An address in the object that the expression starts from.
uint64_t SymbolicValues::base_of(Expression address) {
  uint64_t base = symbols_.value_of(address);
  for (const Expression part : symbols_.pool().below({&address, 1})) {  // a constant that is an address: the object
    const symbolic::Node& node = symbols_.pool().at(part);
    if (node.operation == Kind::Constant && node.width == 64 && node.value >> 32 != 0 && node.value >> 62 == 0 &&
        state_.memory_.find(node.value)->size != 0)
      base = node.value;
  }
  return base;
}

// No value that is left leads into the object, aligned or not: whichever is taken, the access is the same fault.
bool SymbolicValues::always_outside(Expression address, uint32_t size) {
  const uint64_t base = base_of(address);
  for (const Expression part : symbols_.pool().below({&address, 1})) {  // a choice among objects is not followed
    const symbolic::Node& node = symbols_.pool().at(part);
    if (node.operation == Kind::Select && node.width == 64) return false;
  }
  const Object& o = *state_.memory_.find(base);
  if (base == symbols_.value_of(address) || o.size < size) return false;
  const Expression offset = binary(Kind::Subtract, address, number(64, base >> 32 << 32));
  return !symbols_.can_hold(binary(Kind::UnsignedLess, offset, number(64, uint64_t{o.size} - size + 1)));
}

// The element of the object that the inputs at hand lead to, each by its number; then any other address. Of an object
// with more elements: any address outside, the first elements, and any other address inside.
std::vector<Expression> SymbolicValues::places(Expression address, uint32_t size, uint32_t step) {
  const uint64_t base = base_of(address);
  const Object& o = *state_.memory_.find(base);
  const uint64_t begin = base >> 32 << 32, first = (base & 0xffffffff) % step;
  const auto offset_of = [&](size_t n) { return first + uint64_t{n} * step; };
  const bool large = offset_of(kOutcomesMost - 1) + size <= o.size;
  std::vector<Expression> outcomes;
  Expression other = number(1, 1);
  for (size_t n = 0; offset_of(n) + size <= o.size && n + (large ? 2 : 1) < kOutcomesMost; ++n) {
    outcomes.push_back(binary(Kind::Equal, address, number(64, begin + offset_of(n))));
    other = binary(Kind::And, other, negation(outcomes.back()));
  }
  if (!large) {
    outcomes.push_back(other);
    return outcomes;
  }
  const Expression offset = binary(Kind::Subtract, address, number(64, begin));
  const Expression inside = binary(Kind::UnsignedLess, offset, number(64, uint64_t{o.size} - size + 1));
  outcomes.push_back(binary(Kind::And, other, inside));
  outcomes.insert(outcomes.begin(), negation(inside));
  return outcomes;
}

// As places(), for `&mutexes[n]` and `&accounts[n].mutex`: as far apart as the index is multiplied.
std::vector<Expression> SymbolicValues::objects(uint32_t slot) {
  const Expression address = value(slot, 64);
  const uint64_t stride = stride_of(address);
  const bool known = stride != 0 && stride >> 32 == 0;
  return places(address, 8, known ? static_cast<uint32_t>(stride) : 8);
}

// By what an index is multiplied; 0: by nothing.
uint64_t SymbolicValues::stride_of(Expression e) {
  uint64_t stride = 0;
  for (const Expression part : symbols_.pool().below({&e, 1})) {
    const symbolic::Node& node = symbols_.pool().at(part);
    const symbolic::Node& second = symbols_.pool().at(node.operands[1]);
    const bool shifts = node.operation == Kind::ShiftLeft && second.operation == Kind::Constant && second.value < 32;
    if (shifts) stride = std::gcd(stride, uint64_t{1} << second.value);
    if (node.operation != Kind::Multiply) continue;
    for (const Expression factor : node.operands)
      if (const symbolic::Node& known = symbols_.pool().at(factor); known.operation == Kind::Constant)
        stride = std::gcd(stride, known.value);
  }
  return stride;
}

// Of a block: the first sizes in steps of an element, and any other.
std::vector<Expression> SymbolicValues::sizes(uint32_t slot) {
  constexpr uint64_t kSizesMost = 32;
  const Expression size = value(slot, 64);
  const uint64_t step = std::max<uint64_t>(stride_of(size), 1);
  std::vector<Expression> outcomes;
  Expression other = number(1, 1);
  for (uint64_t n = 0; n <= kSizesMost; ++n) {
    outcomes.push_back(binary(Kind::Equal, size, number(64, n * step)));
    other = binary(Kind::And, other, negation(outcomes.back()));
  }
  outcomes.push_back(other);
  return outcomes;
}

// Constant memory, or the tables that the macros of ctype.h look into. Number 0: what is read is none.
Expression SymbolicValues::table_at(Expression& inside) {
  constexpr uint32_t kBytesMost = 4096;
  const Decoded& d = operation_;
  const uint32_t size = access_size(d.code);
  const Expression address = address_of(d);
  const uint64_t begin = base_of(address) >> 32 << 32, first = static_cast<uint32_t>(base_of(address)) % size;
  const Object& o = *state_.memory_.find(begin);
  const auto is_table = [&](std::string_view name) {
    const auto found = state_.process_objects_.find(name);
    return found != state_.process_objects_.end() && begin == uint64_t{found->second} << 32;
  };
  const bool constant = o.write_size == 0 || is_table("heddle.ctype.class") || is_table("heddle.ctype.lower") ||
                        is_table("heddle.ctype.upper");
  if (!constant || o.size > kBytesMost || o.size < first + size || symbols_.any_in(begin, o.size)) return {};
  std::vector<uint64_t> values;
  for (uint64_t at = first; at + size <= o.size; at += size) values.push_back(word_at(o.data + at, size));
  const Expression offset = binary(Kind::Subtract, address, number(64, begin + first));
  const Expression misaligned = binary(Kind::And, offset, number(64, size - 1));
  inside = binary(Kind::And, binary(Kind::UnsignedLess, offset, number(64, values.size() * size)),
                  binary(Kind::Equal, misaligned, number(64, 0)));
  const Expression index =
      binary(Kind::LogicalShiftRight, offset, number(64, static_cast<uint64_t>(std::countr_zero(size))));
  return from_table(symbols_.pool(), index, values, size * 8);
}

std::vector<Expression> SymbolicValues::table_outcomes() {
  const bool store =
      (operation_.code >= Code::StoreL1 && operation_.code < Code::LoadXL1) || operation_.code >= Code::StoreXL1;
  Expression inside;
  if (store || table_at(inside).number == 0) return {};
  return {inside, negation(inside)};
}

// What the table holds there, if the path has decided that it is there.
Expression SymbolicValues::loaded_from_table() {
  Expression inside;
  const Expression found = table_at(inside);
  return found.number != 0 && symbols_.value_of(inside) != 0 ? found : Expression{};
}

std::vector<Expression> SymbolicValues::divisions(const Decoded& d, bool with_sign) {
  const bool immediate = (static_cast<uint32_t>(d.code) - static_cast<uint32_t>(Code::UDivR)) % 2 == 1;
  const uint32_t width = d.width;
  const Expression dividend = value(d.a, width);
  const Expression divisor = immediate ? number(width, static_cast<uint64_t>(d.imm)) : value(d.b, width);
  std::vector<Expression> outcomes(1);
  outcomes.push_back(binary(Kind::Equal, divisor, number(width, 0)));
  if (with_sign)
    outcomes.push_back(binary(Kind::And, binary(Kind::Equal, divisor, number(width, ~uint64_t{0})),
                              binary(Kind::Equal, dividend, number(width, uint64_t{1} << (width - 1)))));
  outcomes[0] = negation(outcomes[1]);
  if (with_sign) outcomes[0] = binary(Kind::And, outcomes[0], negation(outcomes[2]));
  return outcomes;
}

std::vector<Expression> SymbolicValues::cases(const Decoded& d) {
  const SwitchInfo& info = state_.image_->switches[static_cast<size_t>(d.imm)];
  const Expression chosen = value(d.a, d.width == 0 || d.width > 64 ? 64 : d.width);
  std::vector<Expression> outcomes;
  Expression other = number(1, 1);
  const auto add = [&](uint64_t key, int32_t to) {
    if (to == info.otherwise) return;
    outcomes.push_back(binary(Kind::Equal, chosen, number(symbols_.pool().at(chosen).width, key)));
    other = binary(Kind::And, other, negation(outcomes.back()));
  };
  for (size_t n = 0; n < info.dense.size(); ++n) add(info.lowest + n, info.dense[n]);
  for (const auto& [key, to] : info.sorted) add(key, to);
  outcomes.push_back(other);
  return outcomes;
}

// The outcomes of the operation, which exclude each other, and one of which holds. None: nothing is to be asked.
std::vector<Expression> SymbolicValues::outcomes() {
  const Decoded& d = operation_;
  if (d.code == Code::CallBuiltin || d.code == Code::CallIndirect) return text_outcomes();
  std::vector<Expression> result;
  if (symbols_.answers(thread_.id) != 0) return result;
  if (d.code == Code::Branch && depends(d.a)) {
    const Expression taken = nonzero(d.a, 64);
    result = {negation(taken), taken};
  } else if (d.code == Code::Return1 && depends(d.a) && returns_an_order()) {
    const Expression order = value(d.a, 32), zero = number(32, 0);
    result = {binary(Kind::Equal, order, zero), binary(Kind::SignedLess, order, zero),
              binary(Kind::SignedLess, zero, order)};
  } else if (d.code >= Code::BrEqR && d.code <= Code::BrSGe32I) {
    const bool immediate = (static_cast<uint32_t>(d.code) - static_cast<uint32_t>(Code::BrEqR)) % 2 == 1;
    if (!depends(d.a) && (immediate || !depends(d.b))) return {};
    const Expression taken = comparison(d);
    result = {negation(taken), taken};
  } else if (d.code >= Code::UDivR && d.code <= Code::SRemI) {
    const bool immediate = (static_cast<uint32_t>(d.code) - static_cast<uint32_t>(Code::UDivR)) % 2 == 1;
    if (!depends(d.a) && (immediate || !depends(d.b))) return {};
    const bool with_sign = d.code == Code::SDivR || d.code == Code::SDivI || d.code >= Code::SRemR;
    result = divisions(d, with_sign);
  } else if (d.code == Code::Switch && depends(d.a)) {
    result = cases(d);
  } else if (is_access(d.code) && (depends(d.a) || (is_indexed(d.code) && depends(d.b)))) {
    result = table_outcomes();
    if (result.empty()) result = places(address_of(d), access_size(d.code), access_size(d.code));
  } else if ((d.code == Code::MemoryCopy || d.code == Code::MemorySet) && depends(static_cast<uint32_t>(d.imm))) {
    result = counts(d);
  } else if (d.code == Code::Allocate && depends(d.a)) {
    result = sizes(d.a);
  } else if (is_atomic(d.code) && depends(d.a)) {
    result = atomic_places();
  }
  if (d.code == Code::CallVisible) {
    const CallInfo& call = state_.image_->calls[static_cast<size_t>(d.imm)];
    const int8_t argument = call.callee.visible->object;
    if (argument >= 0 && static_cast<size_t>(argument) < call.site->arguments.size() &&
        depends(call.site->arguments[static_cast<size_t>(argument)].slot))
      result = objects(call.site->arguments[static_cast<size_t>(argument)].slot);
  }
  for (const Expression outcome : result)
    if (is_true(outcome)) return {};
  if (result.size() > kOutcomesMost) return {};
  return result;
}

// ---- the machine's side ----

// False: the thread has to be given an outcome first. `code`: what is about to run.
bool Machine::State::before_symbolic(Thread& t, Code code) {
  Symbols& symbols = *symbols_;
  if (t.pc <= kBuiltinReturnCode) return true;
  SymbolicValues values(*this, t);
  symbols.decided = false;
  symbols.later.clear();
  if (!values.outcomes().empty()) {
    symbols.ask(t.id);
    return false;
  }
  if (code == Code::VisibleAtomic || (code == Code::VisibleAccess && root_.tracking)) return true;
  values.apply();
  symbols.end_asking(t.id);
  return true;
}

bool asks_input(const Machine::State& state, const Thread& t) {
  return HEDDLE_UNLIKELY(state.symbols_ != nullptr) && state.symbols_->asks(t.id);
}

uint64_t SymbolicValues::possible() { return possible_of(outcomes()); }

uint64_t SymbolicValues::possible_of(const std::vector<Expression>& all) {
  uint64_t key = combine(symbols_.path_hash(), thread_.pc);
  for (const Expression outcome : all) key = combine(key, outcome.number);
  Symbols::Known& known = symbols_.known[thread_.id];
  if (known.key == key) return known.possible;
  uint64_t possible = 0;
  for (size_t n = 0; n < all.size(); ++n)
    if (symbols_.can_hold(all[n])) possible |= uint64_t{1} << n;
  known = {key, possible};
  return possible;
}

void SymbolicValues::answer(uint32_t outcome) {
  const std::vector<Expression> all = outcomes();
  symbols_.answered(thread_.id);
  assume(all[outcome]);
}

void SymbolicValues::assume(Expression condition) {
  if (symbols_.assume(condition)) renew(state_);
}

// One of the values that the settings allow. What does not fit the result is left out.
Expression within(symbolic::Pool& pool, Expression input, const Instruction& call,
                  const std::vector<ValueRange>& ranges) {
  const Kind less = returns_signed(call) ? Kind::SignedLess : Kind::UnsignedLess;
  Expression any = pool.constant(1, 0);
  for (const ValueRange& range : ranges) {
    const auto part = fitting(range, call);
    if (!part) continue;
    const Expression below = pool.binary(less, input, pool.constant(call.width, part->first));
    const Expression above = pool.binary(less, pool.constant(call.width, part->second), input);
    any = pool.binary(Kind::Or, any, pool.binary(Kind::And, pool.complement(below), pool.complement(above)));
  }
  return any;
}

uint32_t input_width(const Machine::State& s, const Thread& t) {
  if (s.options_.unknown_data != UnknownData::Symbolic) return 0;
  const VisibleRow* row = s.visible_row(t);
  if (row != nullptr && row->values.size() < 2) return 0;
  const Instruction& i = s.image_->program->instruction(s.image_->address(t.pc));
  if ((i.flags & (program::kCallPointer | program::kCallFloat)) != 0 || i.width > 64) return 0;
  return i.width;
}

uint64_t take_input(Machine::State& s, Thread& t, uint32_t width) {
  const Expression input = s.symbols().new_input(t.id, width, s.image_->address(t.pc));
  s.symbols_->set_slot(t.id, t.fp + s.image_->code[t.pc].dst, input);
  if (const std::vector<ValueRange>& ranges = s.unknown_policy(t).values; !ranges.empty())
    s.assume_of_input(
        t, within(s.symbols_->pool(), input, s.image_->program->instruction(s.image_->address(t.pc)), ranges));
  return s.symbols_->value_of(input);
}

Expression SymbolicValues::assumption() {
  const CallInfo& info = state_.image_->calls[static_cast<size_t>(operation_.imm)];
  return info.site->arguments.empty() ? number(1, 1) : nonzero(info.site->arguments[0].slot, 32);
}

bool copy_symbols(Machine::State& s, Thread& t, Pointer to, Pointer from, uint64_t size, bool may_overlap, bool local) {
  std::vector<std::pair<Expression, uint8_t>> cells;
  for (uint64_t n = 0; n < size; ++n) cells.push_back(s.symbols_->byte(from.bits + n));
  s.symbols_->copies = true;
  const bool done = s.copy(t, to, from, size, may_overlap, local);
  s.symbols_->copies = false;
  if (!done) return false;
  s.symbols_->clear_bytes(to.bits, size);
  for (uint64_t n = 0; n < size; ++n)
    if (cells[n].first.number != 0) s.symbols_->set_byte(to.bits + n, cells[n].first, cells[n].second);
  return true;
}

void before_model_reads(Machine::State& s, const Thread& t, uint64_t pointer, uint64_t size) {
  if (s.symbols_->copies || s.symbols_->decided) return;
  const Code code = s.image_->code[t.pc].code;
  const bool called = code == Code::CallBuiltin || code == Code::CallIndirect || code == Code::CallVisible ||
                      code == Code::CallVariadic || t.pc == kBuiltinReturnCode;
  if (called && !shows_only(s, t)) make_bytes_concrete(s, t, pointer, size);
}

void note_made_concrete(Machine::State& s, const Thread& t) {
  const uint32_t pc = s.user_pc(t) != 0 ? s.user_pc(t) : t.pc;
  s.symbols_->made_concrete.insert(s.image_->address(pc));
  ++s.symbols_->times_made_concrete;
}

// Bytes that become numbers.
void make_bytes_concrete(Machine::State& s, const Thread& t, uint64_t pointer, uint64_t size) {
  if (!s.symbols_->any_in(pointer, size)) return;
  note_made_concrete(s, t);
  for (uint64_t at = pointer; at < pointer + size && !s.options_.exact_spins; ++at) {
    const auto [whole, part] = s.symbols_->byte(at);
    if (whole.number == 0) continue;
    symbolic::Pool& pool = s.symbols_->pool();
    const Expression value = pool.constant(pool.at(whole).width, s.symbols_->value_of(whole));
    s.symbols_->assume(pool.binary(Kind::Equal, whole, value));
  }
  s.symbols_->clear_bytes(pointer, size);
}

}  // namespace heddle::machine
