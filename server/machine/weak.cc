// Values of a weaker memory model: an access finds the store that it is directed to, with what that store releases.
#include "server/machine/atomics.h"
#include "server/machine/symbolic/values.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;

namespace {

uint32_t copied(Machine::State& s, uint32_t clock) {
  if (clock == 0) return 0;
  const uint32_t copy = s.clocks_.make();
  s.clocks_.copy(copy, clock);
  return copy;
}

// Clocks grow in place with later stores of a release sequence, so that an earlier store needs its own.
Machine::StoreView copied(Machine::State& s, const Machine::StoreView& view) {
  Machine::StoreView copy{copied(s, view.release_clock), view.head, 0};
  if (view.head != kSeveral) return copy;
  copy.heads = s.clocks_.make();
  for (uint32_t n = 0; n < s.threads_.limit(); ++n) {
    const uint32_t own = copied(s, s.clocks_.at(view.heads).at[n]);
    Clock& heads = s.clocks_.at(copy.heads);
    s.clocks_.touch(heads);
    heads.at[n] = own;
  }
  return copy;
}

Machine::Word held(Machine::State& s, Pointer at, uint32_t size) {
  if (size > 8) return {s.peek(at, 8), 0, s.peek({at.bits + 8}, size - 8)};
  Machine::Word word{s.peek(at, size)};
  if (HEDDLE_UNLIKELY(Symbols::any(s.symbols_.get())))
    word.expression = SymbolicValues(s, *s.threads_[0]).held(at, size).number;
  return word;
}

// `value`: of the word, as things stand.
void put(Machine::State& s, const Operation& access, const Machine::Word& word, uint64_t value) {
  const Pointer at = access.object;
  Object& o = *s.memory_.find(at.bits);
  s.before_store(o, at.bits, at.offset(), access.size);
  const uint64_t words[] = {value, word.high};
  std::memcpy(o.data + at.offset(), words, access.size);
  s.after_store(o, at.bits, at.offset(), access.size);
  for (uint32_t n = 0; word.expression != 0 && n < access.size; ++n)
    s.symbols_->set_byte(at.bits + n, {word.expression}, static_cast<uint8_t>(n));
}

// Whether a read-modify-write that found this value stored something.
bool has_stored(Machine::State& s, bool fails) {
  const Event& event = s.events_.back();
  if (event.operation.kind != OperationKind::AtomicUpdate) return false;
  const bool asked = event.operation.compares && event.operation.second.bits != 0;
  return asked ? event.alternative == 1 : !fails;
}

const Instruction& instruction_of(const Machine::State& s, const Thread& t) {
  return s.image_->program->instruction(s.image_->address(t.pc));
}

}  // namespace

uint64_t Machine::value_at(Pointer at, uint32_t size) const { return state_->peek(at, size); }

Machine::StoreView Machine::view_of(Pointer at, uint32_t size) {
  const AtomicLocation* l = state_->atomics_.find(at);
  if (l == nullptr || l->size != size) return {};
  return copied(*state_, StoreView{l->release_clock, l->head, l->heads});
}

void Machine::show_view(Pointer at, uint32_t size, const StoreView& view) {
  State& s = *state_;
  AtomicLocation* const l = s.atomics_.find(at);
  if (l == nullptr && view.release_clock == 0) return;
  AtomicLocation& location = l != nullptr ? *l : s.atomic_location(at, size);
  s.undo_.touch(location);
  const StoreView own = copied(s, view);
  location.release_clock = own.release_clock;
  location.head = own.head;
  location.heads = own.heads;
}

Outcome Machine::perform_finding(ThreadId thread, uint64_t value, uint32_t alternative,
                                 std::optional<uint32_t> stored_by, uint64_t high) {
  State& s = *state_;
  const Operation operation = s.threads_[thread.value]->pending;
  if (tries(operation.kind)) {
    s.finds_older_ = true;  // it finds the object held, as an earlier state had it
    return s.perform(thread.value, alternative);
  }
  if (operation.size == 0 || operation.size > kWordMost) return s.perform(thread.value, alternative);
  Word older{value, 0, high};
  if (stored_by && s.symbols_ != nullptr)
    older.expression = s.symbols_->stored(*stored_by, operation.object.bits).number;
  older.value = value_of(older);
  const Word newest = held_at(operation.object, operation.size);
  if (newest == older) return s.perform(thread.value, alternative);
  const bool fails = fails_with(thread, older);
  s.finds_older_ = !is_guard(operation.object);
  put(s, operation, older, value_of(older));
  const Outcome outcome = s.perform(thread.value, alternative);
  const Word after = held_at(operation.object, operation.size);
  if (!has_stored(s, fails) && value_of(after) == value_of(older) && after.high == high)
    put(s, operation, newest, value_of(newest));
  return outcome;
}

Machine::Word Machine::held_at(Pointer at, uint32_t size) { return held(*state_, at, size); }

bool Machine::is_guard(Pointer at) const {
  const Object& o = *state_->memory_.find(at.bits);
  if (o.kind != ObjectKindHost::Global) return false;
  return state_->image_->program->global(program::GlobalId(o.made_at)).display_name.starts_with("_ZGV");
}

bool Machine::is_library_state(Pointer at) const {
  return state_->memory_.find(at.bits)->kind == ObjectKindHost::Hidden;
}

void Machine::store_earlier(ThreadId thread) {
  State& s = *state_;
  const Operation& operation = s.threads_[thread.value]->pending;
  s.earlier_ = {true, held(s, operation.object, operation.size), {}};
}

Machine::Word Machine::stored_earlier() const { return state_->earlier_.stored; }

void Machine::State::keep_newest(const Operation& op) {
  earlier_.next = false;
  earlier_.stored = held(*this, op.object, op.size);
  if (!fault_raised_) put(*this, op, earlier_.kept, earlier_.kept.value);
}

bool Machine::stands_at_atomic(ThreadId thread) const {
  const Thread& t = *state_->threads_[thread.value];
  if (t.phase != Phase::Normal) return false;
  return state_->image_->code[t.pc].code == Code::VisibleAtomic || call_of_atomic(*state_, t) != nullptr;
}

bool Machine::is_unknown(Pointer at, uint32_t size) const {
  return Symbols::any(state_->symbols_.get()) && state_->symbols_->any_in(at.bits, size);
}

bool Machine::fails_with(ThreadId thread, const Word& found) const {
  State& s = *state_;
  const Thread& t = *s.threads_[thread.value];
  const uint64_t value = value_of(found);
  if (const VisibleRow* const row = call_of_atomic(s, t)) {
    const std::optional<Pointer> at = expected_by(s, t, *row);
    if (!at) return false;
    const Word expected = held(s, *at, t.pending.size);
    return value != value_of(expected) || found.high != expected.high;
  }
  const Instruction& i = instruction_of(s, t);
  const uint64_t* const expected = t.stack + t.fp + i.b;
  return i.op == Opcode::CompareExchange && (value != expected[0] || (i.width > 64 && found.high != expected[1]));
}

MemoryOrder Machine::failure_order(ThreadId thread) const {
  const Thread& t = *state_->threads_[thread.value];
  if (const VisibleRow* const row = call_of_atomic(*state_, t)) return orders_of(*state_, t, *row).failure;
  return program::failure_order_of(instruction_of(*state_, t));
}

uint64_t Machine::futex_expected(ThreadId thread) const {
  return futex_value(*state_, *state_->threads_[thread.value]);
}

bool Machine::refuses(Pointer object, OperationKind tried) const {
  const SyncObject* o = state_->find_sync(object);
  if (o == nullptr || o->destroyed) return false;
  switch (tried) {
    case OperationKind::SemaphoreTryWait: return o->kind == SyncKind::Semaphore && o->count == 0;
    case OperationKind::TryReadLock: return o->kind == SyncKind::ReadWriteLock && o->owner != ThreadId::kNone;
    case OperationKind::TryWriteLock:
      return o->kind == SyncKind::ReadWriteLock && (o->owner != ThreadId::kNone || o->count != 0);
    default: return false;
  }
}

uint32_t Machine::barrier_round(Pointer barrier) const {
  const SyncObject* b = state_->find_sync(barrier);
  return b == nullptr || b->kind != SyncKind::Barrier ? 0 : b->generation;
}

bool Machine::uses_result(ThreadId thread) {
  State& s = *state_;
  const Thread& t = *s.threads_[thread.value];
  const Decoded& call = s.image_->code[t.pc];
  const auto function = static_cast<uint32_t>(t.stack[t.fp - 2]);
  if (call.width == 0) return false;
  if (function == kNoFunction) return true;
  const uint32_t words = s.image_->functions[function].frame_slots / 64 + 1;
  const size_t next = size_t{s.image_->address(t.pc).index + 1} * words + call.dst / 64;
  return (s.live_slots(function)[next] >> call.dst % 64 & 1) != 0;
}

bool Machine::continues_sequence(ThreadId thread) const {
  return sequence_of_store(*state_, *state_->threads_[thread.value]) == Sequence::Continues;
}

bool Machine::waits_for_store(ThreadId thread) const {
  return state_->spin_.waits_for_store(*state_->threads_[thread.value]);
}

bool Machine::compares_memory_next() const { return state_->spin_.compares_memory_next(); }
void Machine::compare_memory() { state_->spin_.compare_memory(); }

}  // namespace heddle::machine
