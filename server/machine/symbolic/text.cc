// Library functions on unknown text: lengths, searches, comparisons, characters. Numbers: symbolic/number.cc.
#include "server/machine/symbolic/text.h"

#include <algorithm>

#include "server/machine/library/model.h"
#include "server/machine/library/stream.h"
#include "server/machine/symbolic/values.h"

namespace heddle::machine {

using Kind = symbolic::Operation;

namespace {

constexpr size_t kPlacesMost = 62;        // of one question: with "further on" they are bits of Operation::second
constexpr uint64_t kComparedMost = 1024;  // bytes of one comparison

}  // namespace

TextCall::TextCall(Machine::State& state, Thread& thread, uint32_t answers)
    : state_(state),
      thread_(thread),
      symbols_(*state.symbols_),
      pool_(symbols_.pool()),
      call_(state.image_->calls[static_cast<size_t>(state.image_->code[thread.pc].imm)]),
      callee_(call_.callee),
      answers_(answers) {
  const Decoded& d = state.image_->code[thread.pc];
  if (d.code == Code::CallIndirect && (symbols_.slot(thread.id, thread.fp + d.a).number != 0 ||
                                       !state.image_->callee_of(thread.stack[thread.fp + d.a], callee_)))
    return;
  if (callee_.kind != Callee::Kind::Builtin || call_.site == nullptr) return;
  const std::string_view name = state_.image_->program->externals()[callee_.index].name;
  for (const Row* row = kRows; !row->name.empty(); ++row) {
    if (row->name != name) continue;
    if (depends_on_place(*row) || !asks_size(row->size)) break;
    known_ = true;
    (this->*row->model)();
    break;
  }
  known_ |= !question_.empty();  // whether it gives up depends on the answer
  if (!known_) result_ = {};
}

bool TextCall::depends_on_place(const Row& row) const {
  for (size_t n = 0; n < call_.site->arguments.size(); ++n)
    if (row.character != kEach && static_cast<int>(n) != row.character && static_cast<int>(n) != row.size &&
        symbols_.slot(thread_.id, thread_.fp + call_.site->arguments[n].slot).number != 0)
      return true;
  return false;
}

bool TextCall::asks_size(int size) {
  if (size < 0) return true;
  const Expression known = unknown_argument(static_cast<uint32_t>(size), 64);
  if (pool_.at(known).operation == Kind::Constant) return true;
  std::vector<Expression> outcomes;
  Expression other = number(1, 1);
  for (uint64_t n = 0; n < kPlacesMost; ++n) {
    outcomes.push_back(equals(known, n));
    other = both(other, pool_.complement(outcomes.back()));
  }
  outcomes.push_back(other);
  return decide(std::move(outcomes)) != kPlacesMost;
}

size_t TextCall::decide(std::vector<Expression> outcomes) {
  size_t now = 0;
  for (size_t n = 0; n < outcomes.size(); ++n) {
    if (symbols_.value_of(outcomes[n]) == 0) continue;
    now = n;
    if (pool_.at(outcomes[n]).operation == Kind::Constant) return n;
  }
  if (decided_++ == answers_) question_ = std::move(outcomes);
  return now;
}

bool TextCall::holds(Expression condition) { return decide({pool_.complement(condition), condition}) == 1; }

uint64_t TextCall::find(uint64_t text, uint64_t end, const Predicate& condition) {
  for (uint64_t at = 0;;) {
    std::vector<Expression> outcomes;
    std::vector<uint64_t> places;
    Expression none = number(1, 1);
    bool ends = false;  // with a place where the condition always holds
    for (; at != end && is_there(text + at) && places.size() < kPlacesMost && !ends; ++at) {
      const Expression here = condition(at);
      const symbolic::Node node = pool_.at(here);
      if (node.operation == Kind::Constant && node.value == 0) continue;
      outcomes.push_back(both(none, here));
      places.push_back(at);
      ends = node.operation == Kind::Constant;
      none = both(none, pool_.complement(here));
    }
    if (!ends) {
      outcomes.push_back(none);
      places.push_back(at);
    }
    const size_t found = decide(outcomes);
    if (ends || found + 1 < places.size() || at == end || !is_there(text + at)) return places[found];
  }
}

bool TextCall::is_there(uint64_t address) const {
  return static_cast<uint32_t>(address) < state_.memory_.find(address)->size;
}

// REQUIRES that it is there.
Expression TextCall::byte(uint64_t address) {
  const auto [whole, part] = symbols_.byte(address);
  if (whole.number == 0) return number(8, state_.memory_.find(address)->data[static_cast<uint32_t>(address)]);
  const uint32_t width = pool_.at(whole).width, low = 8 * part;
  const Expression bits = pool_.extract(low, std::min(8u, width - low), whole);
  return pool_.at(bits).width == 8 ? bits : pool_.extend(Kind::ZeroExtend, 8, bits);
}

Expression TextCall::equals(Expression e, uint64_t value) {
  return pool_.binary(Kind::Equal, e, number(pool_.at(e).width, value));
}

Expression TextCall::between(Expression e, uint64_t least, uint64_t most) {
  const uint32_t width = pool_.at(e).width;
  const Expression below = pool_.binary(Kind::UnsignedLess, e, number(width, least));
  const Expression above = pool_.binary(Kind::UnsignedLess, number(width, most), e);
  return both(pool_.complement(below), pool_.complement(above));
}

Expression TextCall::lower(Expression e) {
  return pool_.select(between(e, 'A', 'Z'), pool_.binary(Kind::Add, e, number(8, 32)), e);
}

uint64_t TextCall::argument(uint32_t n) const {
  return n < call_.site->arguments.size() ? thread_.stack[thread_.fp + call_.site->arguments[n].slot] : 0;
}

Expression TextCall::unknown_argument(uint32_t n, uint32_t width) {
  if (n >= call_.site->arguments.size()) return number(width, 0);
  const Expression known = symbols_.slot(thread_.id, thread_.fp + call_.site->arguments[n].slot);
  if (known.number == 0) return number(width, argument(n));
  const uint32_t own = pool_.at(known).width;
  if (own == width) return known;
  return own < width ? pool_.extend(Kind::ZeroExtend, width, known) : pool_.extract(0, width, known);
}

uint64_t TextCall::length_of(uint64_t text, uint64_t most) {
  return find(text, most, [&](uint64_t n) { return equals(byte(text + n), 0); });
}

void TextCall::length() { length_of(argument(0), ~uint64_t{0}); }
void TextCall::bounded_length() { length_of(argument(0), argument(1)); }
void TextCall::copy() { length_of(argument(1), ~uint64_t{0}); }
void TextCall::copy_bounded() { length_of(argument(1), argument(2)); }
void TextCall::append() {
  length_of(argument(0), ~uint64_t{0});
  length_of(argument(1), ~uint64_t{0});
}
void TextCall::append_bounded() {
  length_of(argument(0), ~uint64_t{0});
  length_of(argument(1), argument(2));
}
void TextCall::duplicate() { length_of(argument(0), ~uint64_t{0}); }
void TextCall::duplicate_bounded() { length_of(argument(0), argument(1)); }

void TextCall::first_character() {
  const Expression wanted = unknown_argument(1, 8);
  const uint64_t text = argument(0);
  const uint64_t at = find(text, ~uint64_t{0}, [&](uint64_t n) {
    const Expression here = byte(text + n);
    return either(pool_.binary(Kind::Equal, here, wanted), equals(here, 0));
  });
  if (is_there(text + at)) holds(pool_.binary(Kind::Equal, byte(text + at), wanted));
}

void TextCall::last_character() {
  const Expression wanted = unknown_argument(1, 8);
  const uint64_t text = argument(0), length = length_of(text, ~uint64_t{0});
  if (!is_there(text + length)) return;
  find(text, length + 1, [&](uint64_t n) { return pool_.binary(Kind::Equal, byte(text + length - n), wanted); });
}

void TextCall::first_byte() {
  const Expression wanted = unknown_argument(1, 8);
  find(argument(0), argument(2), [&](uint64_t n) { return pool_.binary(Kind::Equal, byte(argument(0) + n), wanted); });
}

// Whether the byte is one of the text of the set, which is known.
Expression TextCall::member(Expression e, uint64_t set) {
  Expression any = number(1, 0);
  for (; is_there(set); ++set) {
    const symbolic::Node node = pool_.at(byte(set));
    if (node.operation != Kind::Constant) give_up();
    if (node.operation != Kind::Constant || node.value == 0) break;
    any = either(any, equals(e, node.value));
  }
  return any;
}

void TextCall::span() {
  find(argument(0), ~uint64_t{0},
       [&](uint64_t n) { return pool_.complement(member(byte(argument(0) + n), argument(1))); });
}

void TextCall::complement_span() {
  const uint64_t text = argument(0);
  const uint64_t at = find(text, ~uint64_t{0}, [&](uint64_t n) {
    return either(member(byte(text + n), argument(1)), equals(byte(text + n), 0));
  });
  if (is_there(text + at)) holds(equals(byte(text + at), 0));
}

void TextCall::find_text() {
  const uint64_t text = argument(0), wanted = argument(1);
  const uint64_t length = length_of(text, ~uint64_t{0}), size = length_of(wanted, ~uint64_t{0});
  if (!is_there(text + length) || !is_there(wanted + size) || size > length) return;
  find(text, length - size + 1, [&](uint64_t at) {
    Expression same = number(1, 1);
    for (uint64_t n = 0; n < size; ++n)
      same = both(same, pool_.binary(Kind::Equal, byte(text + at + n), byte(wanted + n)));
    return same;
  });
}

void TextCall::compare() { compare_texts(~uint64_t{0}, true, false); }
void TextCall::compare_bounded() { compare_texts(argument(2), true, false); }
void TextCall::compare_bytes() { compare_texts(argument(2), false, false); }
void TextCall::compare_folded() { compare_texts(~uint64_t{0}, true, true); }
void TextCall::compare_folded_bounded() { compare_texts(argument(2), true, true); }

bool TextCall::others_may_write(uint64_t address) const {
  const Object& o = *state_.memory_.find(address);
  return state_.root_.tracking && o.write_size != 0 && (o.flags & kUnracy) == 0;
}

// The difference of the first bytes that differ. `texts`: nothing after a zero in both is looked at.
void TextCall::compare_texts(uint64_t most, bool texts, bool folded) {
  std::vector<std::pair<Expression, Expression>> bytes;
  Expression continues = number(1, 1);  // to the byte after those in `bytes`
  bool ends = false;
  for (uint64_t n = 0; n < most && !ends; ++n) {
    if (!is_there(argument(0) + n) || !is_there(argument(1) + n)) break;
    if (n == kComparedMost) return give_up();
    Expression left = byte(argument(0) + n), right = byte(argument(1) + n);
    if (folded) left = lower(left), right = lower(right);
    bytes.emplace_back(left, right);
    continues = both(continues, pool_.binary(Kind::Equal, left, right));
    if (texts) continues = both(continues, pool_.complement(equals(left, 0)));
    ends = pool_.at(continues).operation == Kind::Constant && pool_.at(continues).value == 0;
    ends |= texts && (pool_.at(left).operation == Kind::Constant && pool_.at(left).value == 0);
    ends |= texts && (pool_.at(right).operation == Kind::Constant && pool_.at(right).value == 0);
  }
  if (!ends && bytes.size() < most && holds(continues)) return;          // the function reads what is not there
  if (others_may_write(argument(0)) || others_may_write(argument(1))) {  // then it matters which bytes are read
    find(argument(0), bytes.size(), [&](uint64_t n) {
      const auto [left, right] = bytes[n];
      const Expression differ = pool_.complement(pool_.binary(Kind::Equal, left, right));
      return texts ? either(differ, equals(left, 0)) : differ;
    });
  }
  Expression result = number(32, 0);
  for (size_t n = bytes.size(); n-- > 0;) {
    const auto [left, right] = bytes[n];
    const Expression difference = pool_.binary(Kind::Subtract, pool_.extend(Kind::ZeroExtend, 32, left),
                                               pool_.extend(Kind::ZeroExtend, 32, right));
    if (texts) result = pool_.select(equals(left, 0), number(32, 0), result);
    result = pool_.select(pool_.binary(Kind::Equal, left, right), result, difference);
  }
  result_ = result;
}

// isdigit, toupper and the like: what the function returns for each character, as a table.
void TextCall::classify() {
  const Expression given = unknown_argument(0, 32);
  if (pool_.at(given).operation == Kind::Constant) return;
  const Expression place = pool_.binary(Kind::Add, given, number(32, 1));
  if (!holds(pool_.binary(Kind::UnsignedLess, place, number(32, 257)))) return give_up();
  std::vector<uint64_t> values;
  for (int c = -1; c < 256; ++c) {
    CallGuest guest(state_);
    guest.begin(thread_, callee_.builtin, nullptr, thread_.fp);
    const uint64_t given_bits = static_cast<uint32_t>(c);
    guest.given = std::span<const uint64_t>(&given_bits, 1);
    callee_.builtin(guest);
    values.push_back(static_cast<uint32_t>(guest.results[0]));
  }
  result_ = from_table(pool_, pool_.extend(Kind::ZeroExtend, 64, place), values, 32);
  if (result_.number == 0) give_up();
}

uint64_t TextCall::standard_input() const {
  return state_.peek(Pointer::make(state_.process_object("stdin", 8), 0), 8);
}

void TextCall::writes_later(uint64_t address, uint32_t size, Expression value) {
  if (pool_.at(value).operation != Kind::Constant) symbols_.later.push_back({address, size, value});
}

void TextCall::character_of_input() { character_from(standard_input()); }
void TextCall::character_of_stream() { character_from(argument(0)); }

// Where the stream reads next, if it reads a file; all else about it is known. `size`: bytes of the file from there on.
bool TextCall::reads_file(uint64_t stream, uint64_t& place, uint64_t& size) {
  const Object& o = *state_.memory_.find(stream);
  models::Stream s;
  if (o.size != models::kStreamSize || static_cast<uint32_t>(stream) != 0 || symbols_.any_in(stream, o.size))
    return false;
  std::memcpy(&s, o.data, sizeof s);
  if (s.kind != models::StreamKind::File || s.pushed != 0 || (s.mode & models::kReadable) == 0) return false;
  CallGuest guest(state_);
  guest.begin(thread_, nullptr, nullptr, thread_.fp);
  if (!models::file_size(guest, s.file, size)) return false;
  size -= std::min(size, s.position);
  place = models::file_piece(guest, s.file, s.position).bits;
  return true;
}

void TextCall::character_from(uint64_t stream) {
  uint64_t place = 0, size = 0;
  if (!reads_file(stream, place, size)) return give_up();
  if (size != 0) result_ = pool_.extend(Kind::ZeroExtend, 32, byte(place));
}

void TextCall::line_from(uint64_t stream, uint64_t most, uint8_t delimiter) {
  uint64_t place = 0, size = 0;
  if (!reads_file(stream, place, size)) return give_up();
  find(place, std::min(size, most), [&](uint64_t n) { return equals(byte(place + n), delimiter); });
}

// read() of standard input: how much it gives.
void TextCall::read_piece() {
  CallGuest guest(state_);
  guest.begin(thread_, nullptr, nullptr, thread_.fp);
  Pointer at;
  models::Stream s;
  uint64_t size = 0;
  if (!models::load_descriptor(guest, static_cast<int32_t>(argument(0)), at, s) || at.bits == 0) return give_up();
  const uint64_t pieces = models::input_pieces(guest, s).bits;
  if (pieces == 0) return give_up();
  if (!models::file_size(guest, s.file, size)) return give_up();
  const uint64_t most = std::min(argument(2), size - std::min(size, s.position));
  if (most < 2) return;
  const uint64_t begin = pieces + s.position;
  find(begin, most - 1,
       [&](uint64_t n) { return pool_.complement(equals(byte(begin + n), static_cast<uint8_t>(models::kNoStop))); });
}

void TextCall::line() {
  const auto size = static_cast<int32_t>(argument(1));
  line_from(argument(2), size < 1 ? 0 : static_cast<uint64_t>(size) - 1, '\n');
}
void TextCall::line_checked() {
  const auto size = static_cast<int32_t>(argument(2));
  line_from(argument(3), size < 1 ? 0 : static_cast<uint64_t>(size) - 1, '\n');
}
void TextCall::whole_line() { line_from(argument(2), kNoEnd, '\n'); }
void TextCall::delimited() { line_from(argument(3), kNoEnd, static_cast<uint8_t>(argument(2))); }

// ---- tables ----

namespace {

constexpr size_t kPartsMost = 64;

struct Part {
  uint64_t begin;
  bool rises;  // by one from place to place; else all values are the same
  uint64_t first;
};

std::vector<Part> parts_of(const std::vector<uint64_t>& values, uint64_t mask) {
  std::vector<Part> parts;
  for (uint64_t n = 0; n < values.size();) {
    uint64_t same = n, rising = n;
    while (same + 1 < values.size() && values[same + 1] == values[n]) ++same;
    while (rising + 1 < values.size() && values[rising + 1] == ((values[n] + (rising + 1 - n)) & mask)) ++rising;
    parts.push_back({n, rising > same, values[n]});
    n = std::max(same, rising) + 1;
  }
  return parts;
}

}  // namespace

// Of two tables that alternate, as the digits of the numbers up to 99 do.
static Expression from_alternating(symbolic::Pool& pool, Expression index, const std::vector<uint64_t>& values,
                                   uint32_t width) {
  std::vector<uint64_t> tables[2];
  for (size_t n = 0; n < values.size(); ++n) tables[n % 2].push_back(values[n]);
  for (const std::vector<uint64_t>& table : tables)
    if (table.empty() || parts_of(table, symbolic::mask_of(width)).size() > kPartsMost / 2) return {};
  const Expression half = pool.binary(Kind::LogicalShiftRight, index, pool.constant(64, 1));
  return pool.select(pool.extract(0, 1, index), from_table(pool, half, tables[1], width),
                     from_table(pool, half, tables[0], width));
}

Expression from_table(symbolic::Pool& pool, Expression index, const std::vector<uint64_t>& values, uint32_t width) {
  const std::vector<Part> parts = parts_of(values, symbolic::mask_of(width));
  if (parts.size() > kPartsMost) return from_alternating(pool, index, values, width);
  if (parts.empty()) return {};
  const Expression low = width == 64 ? index : pool.extract(0, width, index);
  Expression result;
  for (size_t n = parts.size(); n-- > 0;) {
    Expression value = pool.constant(width, parts[n].first);
    if (parts[n].rises) value = pool.binary(Kind::Add, low, pool.constant(width, parts[n].first - parts[n].begin));
    if (n + 1 == parts.size()) {
      result = value;
      continue;
    }
    const Expression below = pool.binary(Kind::UnsignedLess, index, pool.constant(64, parts[n + 1].begin));
    result = pool.select(below, value, result);
  }
  return result;
}

// ---- at the call ----

std::vector<Expression> SymbolicValues::text_outcomes() {
  return TextCall(state_, thread_, symbols_.answers(thread_.id)).question();
}

bool SymbolicValues::apply_text() {
  symbols_.later.clear();
  const TextCall call(state_, thread_, ~0u);
  if (!call.known()) {
    symbols_.later.clear();
    return false;
  }
  const Decoded& d = operation_;
  for (uint32_t n = 0; n < d.width; ++n) forget(d.dst + n);
  if (call.result().number != 0 && d.width != 0) define(d.dst, call.result());
  if (call.second().number != 0 && d.width > 1) define(d.dst + 1, call.second());
  symbols_.decided = true;
  return true;
}

}  // namespace heddle::machine
