// Unknown inputs and assumptions: the interface of the verification competition, and calls of unknown functions.
//
// A value is chosen among a few of its type: 0, 1, -1, 2, the largest and the smallest; both booleans. The verdict says
// that data was sampled.
#include <algorithm>
#include <bit>
#include <limits>

#include "server/machine/library/model.h"
#include "server/machine/symbolic/unknown_call.h"
#include "server/machine/symbolic/values.h"
#include "server/program/call_result.h"

namespace heddle::machine {
namespace {

template <typename T>
constexpr uint64_t bits_of(T value) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(uint64_t, value);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(uint32_t, value);
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(uint16_t, value);
  else
    return __builtin_bit_cast(uint8_t, value);
}

template <typename T>
constexpr uint64_t kSigned[] = {bits_of<T>(0),
                                bits_of<T>(1),
                                bits_of<T>(-1),
                                bits_of<T>(2),
                                bits_of<T>(std::numeric_limits<T>::max()),
                                bits_of<T>(std::numeric_limits<T>::min())};
template <typename T>
constexpr uint64_t kUnsigned[] = {0, 1, 2, bits_of<T>(std::numeric_limits<T>::max())};
template <typename T>
constexpr uint64_t kFloat[] = {bits_of<T>(0), bits_of<T>(1), bits_of<T>(-1), bits_of<T>(std::numeric_limits<T>::max()),
                               bits_of<T>(std::numeric_limits<T>::lowest())};
constexpr uint64_t kBoolean[] = {0, 1};
constexpr uint64_t kNull[] = {0};
constexpr uint64_t kNothing[] = {0};

void choose(SyncCall& call) {
  const uint32_t width = input_width(call.state, call.thread);
  const uint64_t value = width != 0 ? take_input(call.state, call.thread, width) : call.row.values[call.alternative];
  call.event.value_read = value;
  call.result(value);
}

constexpr uint64_t kHolds = 1, kFails = 2;  // outcomes of an assumption, as bits

// A false one is never performed. Of unknown values it may not hold either: then the thread stays there for ever, and
// the others continue.
void assume(SyncCall& call) {
  if (call.state.symbols_ == nullptr) return;
  SymbolicValues values(call.state, call.thread);
  const Expression assumption = values.assumption();
  call.stays = call.alternative != 0;
  values.assume(call.stays ? call.state.symbols_->pool().complement(assumption) : assumption);
}

// The assumption is about nothing but the value that the thread took last, before any other operation: no other thread
// knows anything of it.
bool is_about_fresh_value(const Machine::State& s, const Thread& t, Expression assumption) {
  const symbolic::Pool& pool = s.symbols_->pool();
  const std::span<const Symbols::Input> inputs = s.symbols_->inputs();
  const auto last = std::find_if(inputs.rbegin(), inputs.rend(),
                                 [&](const Symbols::Input& input) { return input.number >> 32 == t.id; });
  if (last == inputs.rend()) return false;
  for (const Expression part : pool.below({&assumption, 1})) {
    const symbolic::Node& node = pool.at(part);
    if (node.operation == symbolic::Operation::Input && node.value != last->number) return false;
  }
  const std::span<const Event> events = s.events_.all();
  const auto own = std::find_if(events.rbegin(), events.rend(),
                                [&](const Event& event) { return event.operation.thread.value == t.id; });
  return own != events.rend() && own->operation.at == last->at;
}

// One recursive mutex for all atomic sections; alternatives() keeps everything else out of them.
void begin_section(SyncCall& call) {
  SyncObject* m = call.object(SyncKind::Mutex, 40);
  if (m == nullptr) return;
  m->type = kRecursive;
  m->owner = call.thread.id;
  if (++m->count > 1) return;
  m->locked_at = call.thread.pc;
  call.state.clocks_.acquire(call.thread, m->clock);
}

void end_section(SyncCall& call) {
  SyncObject* m = call.object(SyncKind::Mutex, 40);
  if (m == nullptr) return;
  if (m->owner != call.thread.id) return void(call.misuse("ends an atomic section that it did not begin"));
  if (--m->count > 0) return;
  m->owner = ThreadId::kNone;
  if (m->clock == 0) m->clock = call.state.clocks_.make();
  call.state.clocks_.copy(m->clock, call.thread.clock);
}

std::span<const uint64_t> values_by_width(uint8_t width, uint8_t flags) {
  if (flags & program::kCallPointer) return kNull;
  if (flags & program::kCallFloat)
    return width == 32 ? std::span<const uint64_t>(kFloat<float>) : std::span<const uint64_t>(kFloat<double>);
  switch (width) {
    case 0: return kNothing;
    case 1: return kBoolean;
    case 8: return kSigned<int8_t>;
    case 16: return kSigned<int16_t>;
    case 32: return kSigned<int32_t>;
    default: return kSigned<int64_t>;
  }
}

bool in_ranges(const std::vector<ValueRange>& ranges, uint64_t value, const program::Instruction& call) {
  const auto unused = static_cast<unsigned>(64 - call.width);
  const auto number = [&](uint64_t bits) { return static_cast<int64_t>(bits << unused) >> unused; };
  return std::any_of(ranges.begin(), ranges.end(), [&](const ValueRange& range) {
    const auto part = fitting(range, call);
    if (!part) return false;
    if (returns_signed(call)) return number(part->first) <= number(value) && number(value) <= number(part->second);
    return part->first <= value && value <= part->second;
  });
}

}  // namespace

const UnknownPolicy& Machine::State::unknown_policy(const Thread& t) const {
  static const UnknownPolicy kStop;
  const Decoded& d = image_->code[t.pc];
  Callee callee;
  if (d.code == Code::CallUnknown)
    callee = image_->calls[static_cast<size_t>(d.imm)].callee;
  else if (d.code != Code::CallIndirect || !image_->callee_of(t.stack[t.fp + d.a], callee))
    return kStop;
  if (callee.kind != Callee::Kind::Unknown) return kStop;
  const UnknownPolicy& policy =
      machine::unknown_policy(options_.unknown_calls, image_->program->externals()[callee.index].name);
  const program::Instruction& call = image_->program->instruction(image_->address(t.pc));
  const bool given = !policy.values.empty() && returns_integer(call);
  const bool possible = !given || std::any_of(policy.values.begin(), policy.values.end(), [&](const ValueRange& range) {
    return fitting(range, call).has_value();
  });
  const program::CallSite& site = *image_->calls[static_cast<size_t>(d.imm)].site;
  const bool fills = std::all_of(policy.fills.begin(), policy.fills.end(),
                                 [&](const UnknownFill& fill) { return can_fill(site, fill); });
  return possible && fills ? policy : kStop;
}

static uint32_t assumption_alternatives(Machine::State& s, Thread& t) {
  t.pending.second = {};
  if (!s.assumption_holds(t)) return 0;
  if (s.symbols_ == nullptr || s.threads_.limit() < 2) return 1;
  const Expression assumption = SymbolicValues(s, t).assumption();
  if (is_about_fresh_value(s, t, assumption)) return 1;
  const bool may_fail = s.symbols_->can_hold(s.symbols_->pool().complement(assumption));
  t.pending.second = {may_fail ? kHolds | kFails : kHolds};
  return may_fail ? 2 : 1;
}

// Of the samples those in the ranges, if there are ranges, and the ends of each.
std::vector<uint64_t> Machine::State::sampled_values(const Thread& t) const {
  const program::Instruction& i = image_->program->instruction(image_->address(t.pc));
  const std::span<const uint64_t> all = values_by_width(i.width, i.flags);
  std::vector<uint64_t> result(all.begin(), all.end());
  const std::vector<ValueRange>& ranges = unknown_policy(t).values;
  if (ranges.empty() || !returns_integer(i)) return result;
  std::erase_if(result, [&](uint64_t value) { return !in_ranges(ranges, value, i); });
  for (const ValueRange& range : ranges)
    if (const auto part = fitting(range, i))
      for (const uint64_t value : {part->first, part->second})
        if (std::find(result.begin(), result.end(), value) == result.end()) result.push_back(value);
  return result;
}

// The pending operation was performed, and a fault ended what followed. What is at pc now is another instruction, or
// none: the end of a function that the library calls.
static bool has_continued(const Machine::State& s, const Thread& t) {
  return t.phase == Phase::Normal && t.pending.at != s.image_->address(t.pc);
}

// 0: an assumption that does not hold; the thread stays there for ever.
uint32_t Machine::State::data_alternatives(Thread& t) {
  if (has_continued(*this, t)) return 1;
  if (asks_input(*this, t)) {
    const uint64_t possible = SymbolicValues(*this, t).possible();
    t.pending.second = {possible};
    return static_cast<uint32_t>(std::bit_width(possible));
  }
  if (t.phase == Phase::Input)
    return input_alternatives(static_cast<uint32_t>(peek(Pointer::make(inputs_.chosen, 0), 4)));
  const VisibleRow* row = visible_row(t);
  if (input_width(*this, t) != 0) return 1;
  if (row != nullptr && row->size == kReceives) return outside_alternatives(*this, t);
  if (row == nullptr) return static_cast<uint32_t>(sampled_values(t).size());
  if (!row->values.empty()) return static_cast<uint32_t>(row->values.size());
  return assumption_alternatives(*this, t);
}

uint32_t Machine::State::exchange_alternatives(Thread& t) {
  t.pending.second = {};
  if (!Symbols::any(symbols_.get()) || has_continued(*this, t)) return 1;
  t.pending.second = {SymbolicValues(*this, t).possible_exchange()};
  return static_cast<uint32_t>(std::max(1, static_cast<int>(std::bit_width(t.pending.second.bits))));
}

bool Machine::State::assumption_holds(Thread& t) {
  if (symbols_ != nullptr) {
    const bool holds = symbols_->can_hold(SymbolicValues(*this, t).assumption());
    if (!holds) root_.discarded = true;
    return holds;
  }
  const CallInfo& info = image_->calls[static_cast<size_t>(image_->code[t.pc].imm)];
  return info.site->arguments.empty() || static_cast<uint32_t>(t.stack[t.fp + info.site->arguments[0].slot]) != 0;
}

std::span<const VisibleRow> choice_rows() {
  using K = OperationKind;
  const auto row = [](std::string_view name, std::span<const uint64_t> values) {
    return VisibleRow{name, K::DataChoice, -1, -1, false, choose, values};
  };
#define HEDDLE_NONDET(type) "__VERIFIER_nondet_" type
  static const VisibleRow rows[] = {
      row(HEDDLE_NONDET("bool"), kBoolean),
      row(HEDDLE_NONDET("_Bool"), kBoolean),
      row(HEDDLE_NONDET("char"), kSigned<int8_t>),
      row(HEDDLE_NONDET("schar"), kSigned<int8_t>),
      row(HEDDLE_NONDET("uchar"), kUnsigned<uint8_t>),
      row(HEDDLE_NONDET("unsigned_char"), kUnsigned<uint8_t>),
      row(HEDDLE_NONDET("u8"), kUnsigned<uint8_t>),
      row(HEDDLE_NONDET("short"), kSigned<int16_t>),
      row(HEDDLE_NONDET("ushort"), kUnsigned<uint16_t>),
      row(HEDDLE_NONDET("u16"), kUnsigned<uint16_t>),
      row(HEDDLE_NONDET("int"), kSigned<int32_t>),
      row(HEDDLE_NONDET("uint"), kUnsigned<uint32_t>),
      row(HEDDLE_NONDET("unsigned"), kUnsigned<uint32_t>),
      row(HEDDLE_NONDET("unsigned_int"), kUnsigned<uint32_t>),
      row(HEDDLE_NONDET("u32"), kUnsigned<uint32_t>),
      row(HEDDLE_NONDET("long"), kSigned<int64_t>),
      row(HEDDLE_NONDET("ulong"), kUnsigned<uint64_t>),
      row(HEDDLE_NONDET("unsigned_long"), kUnsigned<uint64_t>),
      row(HEDDLE_NONDET("longlong"), kSigned<int64_t>),
      row(HEDDLE_NONDET("ulonglong"), kUnsigned<uint64_t>),
      row(HEDDLE_NONDET("u64"), kUnsigned<uint64_t>),
      row(HEDDLE_NONDET("size_t"), kUnsigned<uint64_t>),
      row(HEDDLE_NONDET("loff_t"), kSigned<int64_t>),
      row(HEDDLE_NONDET("float"), kFloat<float>),
      row(HEDDLE_NONDET("double"), kFloat<double>),
      row(HEDDLE_NONDET("pointer"), kNull),
      row(HEDDLE_NONDET("pchar"), kNull),
      {"__VERIFIER_assume", K::DataChoice, -1, -1, false, assume, {}},
      {"assume_abort_if_not", K::DataChoice, -1, -1, false, assume, {}},
      {"__VERIFIER_atomic_begin", K::Lock, kAtomicSection, -1, false, begin_section, {}},
      {"__VERIFIER_atomic_end", K::Unlock, kAtomicSection, -1, false, end_section, {}},
  };
#undef HEDDLE_NONDET
  return rows;
}

}  // namespace heddle::machine
