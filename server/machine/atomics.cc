// Atomic instructions: values are sequentially consistent, happens-before follows the memory orders (C17 5.1.2.4,
// 7.17.3). Whether a later store of the same thread continues a release sequence is for the unit's language to say.
#include "server/machine/atomics.h"

#include <algorithm>
#include <optional>

#include "server/machine/interpreter.h"
#include "server/machine/symbolic/values.h"
#include "server/program/call_result.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;
using program::UpdateKind;

namespace {

bool acquires(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order == MemoryOrder::AcquireRelease ||
         order == MemoryOrder::SequentiallyConsistent;
}
bool releases(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcquireRelease ||
         order == MemoryOrder::SequentiallyConsistent;
}

template <typename T>
uint64_t update_float(UpdateKind kind, uint64_t old, uint64_t operand) {
  T a, b;
  std::memcpy(&a, &old, sizeof(T));
  std::memcpy(&b, &operand, sizeof(T));
  T result = a;
  switch (kind) {
    case UpdateKind::FAdd: result = a + b; break;
    case UpdateKind::FSub: result = a - b; break;
    case UpdateKind::FMax: result = a > b ? a : b; break;
    case UpdateKind::FMin: result = a < b ? a : b; break;
    default: break;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, &result, sizeof(T));
  return bits;
}

uint64_t updated(UpdateKind kind, uint64_t old, uint64_t operand, uint32_t width) {
  const uint64_t mask = width_mask(width);
  const int64_t a = signed_of(old, width), b = signed_of(operand, width);
  switch (kind) {
    case UpdateKind::Exchange: return operand & mask;
    case UpdateKind::Add: return (old + operand) & mask;
    case UpdateKind::Sub: return (old - operand) & mask;
    case UpdateKind::And: return old & operand;
    case UpdateKind::Nand: return ~(old & operand) & mask;
    case UpdateKind::Or: return (old | operand) & mask;
    case UpdateKind::Xor: return (old ^ operand) & mask;
    case UpdateKind::SMax: return a > b ? old : operand & mask;
    case UpdateKind::SMin: return a < b ? old : operand & mask;
    case UpdateKind::UMax: return std::max(old, operand & mask);
    case UpdateKind::UMin: return std::min(old, operand & mask);
    case UpdateKind::UIncWrap: return old >= operand ? 0 : old + 1;
    case UpdateKind::UDecWrap: return old == 0 || old > operand ? operand : old - 1;
    default: return width == 32 ? update_float<float>(kind, old, operand) : update_float<double>(kind, old, operand);
  }
}

}  // namespace

namespace {

void load_from(Machine::State& s, Thread& t, const AtomicLocation& l, bool acquire) {
  if (l.release_clock == 0) return;
  if (acquire) {
    s.clocks_.acquire(t, l.release_clock);
  } else {  // for a later acquire fence
    if (t.acquire_clock == 0) t.acquire_clock = s.clocks_.make();
    s.clocks_.join(t.acquire_clock, l.release_clock);
  }
}

// A value is read later than it was stored: no memory order changes that.
void reach_time_of_value(Machine::State& s, Thread& t, Pointer at, uint32_t size) {
  s.atomics_.for_each(at.bits, size, [&](const AtomicLocation& l) {
    if (l.address + l.size > at.bits) s.clocks_.reach_time(t, l.time);
    return true;
  });
}

}  // namespace

// A load sees all locations that it overlaps: where sizes are mixed, several may have written its bytes.
void synchronise_load(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order) {
  const bool acquire = acquires(order);
  if (HEDDLE_UNLIKELY(s.image_->reads_clock)) reach_time_of_value(s, t, at, size);
  if (!(s.memory_.find(at.bits)->flags & kMixedAtomics)) {
    if (const AtomicLocation* l = s.atomics_.find(at)) load_from(s, t, *l, acquire);
    return;
  }
  s.atomics_.for_each(at.bits, size, [&](const AtomicLocation& l) {
    if (l.address + l.size > at.bits) load_from(s, t, l, acquire);
    return true;
  });
}

Sequence sequence_of_store(const Machine::State& s, const Thread& t) {
  const auto ends = [&](uint32_t pc) {
    const Instruction& i = s.image_->program->instruction(s.image_->address(pc));
    return (i.flags & (i.op == Opcode::AtomicStore ? program::kEndsSequence : program::kCallEndsSequence)) != 0;
  };
  uint32_t pc = t.pc;
  if (s.in_library(pc)) {  // the units of a program share its code: whose call is it?
    const uint32_t user = s.user_pc(t);
    const Decoded& call = s.image_->code[user];
    if (user != 0 && call.code == Code::Call &&
        s.image_->functions[s.image_->calls[static_cast<size_t>(call.imm)].callee.index].of_atomics)
      pc = user;
  }
  return ends(pc) ? Sequence::Ends : Sequence::Continues;
}

namespace {

// Of the sequence only what the thread itself has released continues.
void keep_own(Machine::State& s, const Thread& t, AtomicLocation& l) {
  if (l.release_clock == 0 || l.head == t.id) return;
  l.release_clock = l.head == kSeveral ? s.clocks_.at(l.heads).at[t.id] : 0;
}

// The thread's release joins a sequence that is there.
void add_head(Machine::State& s, const Thread& t, AtomicLocation& l, uint32_t from) {
  if (!s.image_->relaxed_stores || l.head == t.id) return;
  const auto set = [&](uint32_t thread, uint32_t value) {
    Clock& heads = s.clocks_.at(l.heads);
    s.clocks_.touch(heads);
    heads.at[thread] = value;
  };
  if (l.head != kSeveral) {
    const uint32_t first = s.clocks_.make();
    s.clocks_.copy(first, l.release_clock);
    l.heads = s.clocks_.make();
    set(l.head, first);
    l.head = kSeveral;
  }
  uint32_t own = s.clocks_.at(l.heads).at[t.id];
  if (own == 0) set(t.id, own = s.clocks_.make());
  s.clocks_.join(own, from);
}

}  // namespace

void synchronise_store(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order, Sequence how) {
  if (s.orders_nothing()) return;
  const uint32_t from = releases(order) ? t.clock : t.release_clock;
  if (HEDDLE_UNLIKELY(s.image_->reads_clock)) {
    AtomicLocation& l = s.atomic_location(at, size);
    s.undo_.touch(l);
    l.time = std::max(l.time, s.clocks_.time(t));
  }
  if (from == 0) {
    if (how == Sequence::Update) return;  // continues the release sequence, or there is none
    AtomicLocation* l = s.atomics_.find(at);
    if (l == nullptr || l->release_clock == 0) return;
    s.undo_.touch(*l);
    if (how == Sequence::Continues)
      keep_own(s, t, *l);
    else
      l->release_clock = 0;
    l->head = t.id;
    return;
  }
  AtomicLocation& l = s.atomic_location(at, size);
  s.undo_.touch(l);
  if (how == Sequence::Update && l.release_clock != 0) {
    add_head(s, t, l, from);
    return s.clocks_.join(l.release_clock, from);
  }
  if (how == Sequence::Continues && !releases(order)) keep_own(s, t, l);
  const bool continues = how == Sequence::Continues && !releases(order) && l.release_clock != 0;
  if (l.release_clock == 0) l.release_clock = s.clocks_.make();
  if (continues)
    s.clocks_.join(l.release_clock, from);
  else
    s.clocks_.copy(l.release_clock, from);
  l.head = t.id;
}

void synchronise_fence(Machine::State& s, Thread& t, MemoryOrder order) {
  if (acquires(order) && t.acquire_clock != 0) s.clocks_.acquire(t, t.acquire_clock);
  if (releases(order)) {
    if (t.release_clock == 0) t.release_clock = s.clocks_.make();
    s.clocks_.copy(t.release_clock, t.clock);
  }
}

// The object of an atomic access, checked; null after a fault.
Object* atomic_object(Machine::State& s, Thread& t, Pointer at, uint32_t size, bool writes) {
  Object* o = writes ? s.writable(t, at, size, "atomically writes") : s.readable(t, at, size, "atomically reads");
  if (o == nullptr) return nullptr;
  const bool word = size != 0 && size <= 16 && (size & (size - 1)) == 0;  // others are locked by libatomic
  if (word && at.offset() % size != 0) {
    s.fault(t, FaultKind::WildPointer,
            "atomic access to " + s.name_of(at, size) + ", which is not aligned to " + std::to_string(size) + " bytes",
            at, size);
    return nullptr;
  }
  return o;
}

namespace {

// One access with its values; nothing is written yet.
struct Access {
  Object* object = nullptr;  // null after a fault
  Pointer at;
  uint32_t size = 0;
  uint64_t old[2] = {0, 0}, value[2] = {0, 0};
  bool reads = true, writes = true;
};

Access begin_access(Machine::State& s, Thread& t, const Instruction& i) {
  Access access;
  uint64_t* const r = t.stack + t.fp;
  access.size = (i.width + 7u) / 8;
  const bool has_offset = i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore;
  access.at = {r[i.a] + (has_offset ? static_cast<uint64_t>(i.imm) : 0)};
  access.object = atomic_object(s, t, access.at, access.size, i.op != Opcode::AtomicLoad);
  if (access.object == nullptr) return access;
  uint64_t* const old = access.old;
  const uint8_t* const bytes = access.object->data + access.at.offset();
  old[0] = word_at(bytes, std::min(access.size, 8u));
  if (HEDDLE_UNLIKELY(access.size > 8)) old[1] = word_at(bytes + 8, access.size - 8);
  switch (i.op) {
    case Opcode::AtomicLoad:
      access.writes = false;
      r[i.dst] = old[0];
      if (i.width > 64) r[i.dst + 1] = old[1];
      break;
    case Opcode::AtomicStore:
      access.reads = false;
      access.value[0] = r[i.b];
      if (i.width > 64) access.value[1] = r[i.b + 1];
      break;
    case Opcode::AtomicUpdate:
      access.value[0] = updated(static_cast<UpdateKind>(i.imm), old[0], r[i.b], i.width);
      r[i.dst] = old[0];
      break;
    default: {  // CompareExchange
      const uint32_t slots = i.width > 64 ? 2 : 1;
      const bool same = old[0] == r[i.b] && (slots == 1 || old[1] == r[i.b + 1]);
      access.value[0] = r[i.imm];
      if (slots == 2) access.value[1] = r[i.imm + 1];
      r[i.dst] = old[0];
      if (slots == 2) r[i.dst + 1] = old[1];
      r[i.dst + slots] = same;
      access.writes = same;
      break;
    }
  }
  return access;
}

// A compare-exchange always decides by what it finds; the value of the others may decide something later. false: a
// fault.
bool reads_what_was_written(Machine::State& s, Thread& t, const Instruction& i, const Access& access, bool& unwritten) {
  unwritten = !s.memory_.any_initialised(*access.object, access.at.offset(), access.size);
  if (!unwritten || access.size > 8) return true;
  const auto bytes = static_cast<uint32_t>((uint64_t{1} << access.size) - 1);
  const bool decides = i.op == Opcode::CompareExchange || s.loads_unwritten(t, s.image_->code[t.pc].flags, bytes);
  return !decides || s.check_initialised(t, *access.object, access.at, access.size);
}

// Is the result as unknown as the value before?
bool keeps_unknown(const Instruction& i) {
  const auto kind = static_cast<UpdateKind>(i.imm);
  return i.op == Opcode::AtomicUpdate && i.width <= 64 &&
         (kind == UpdateKind::Add || kind == UpdateKind::Sub || kind == UpdateKind::Xor);
}

void write_value(Machine::State& s, Thread& t, const Access& access) {
  Object& o = *access.object;
  s.before_store(o, access.at.bits, access.at.offset(), access.size);
  uint8_t* const bytes = o.data + access.at.offset();
  put_word(bytes, access.value[0], std::min(access.size, 8u));
  if (HEDDLE_UNLIKELY(access.size > 8)) put_word(bytes + 8, access.value[1], access.size - 8);
  s.after_store(o, access.at.bits, access.at.offset(), access.size);
  const bool changed = access.old[0] != access.value[0] || access.old[1] != access.value[1];
  if (changed) ++t.stores;  // writing what is there changes nothing
}

}  // namespace

void Machine::State::perform_atomic(Thread& t, Event& event) {
  const Instruction& i = image_->program->instruction(image_->address(t.pc));
  const MemoryOrder order = program::order_of(i);
  if (i.op == Opcode::Fence) return synchronise_fence(*this, t, order);
  std::optional<SymbolicValues> values;
  if (HEDDLE_UNLIKELY(Symbols::any(symbols_.get()))) {
    const bool offset = i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore;
    values.emplace(*this, t);
    values->begin_atomic(i, {t.stack[t.fp + i.a] + (offset ? static_cast<uint64_t>(i.imm) : 0)});
  }
  const Access access = begin_access(*this, t, i);
  if (access.object == nullptr) return;
  bool unwritten = false;
  if (HEDDLE_UNLIKELY(access.object->init != nullptr) && access.reads &&
      !reads_what_was_written(*this, t, i, access, unwritten))
    return;
  event.value_read = access.old[0];
  access_atomic(t, *access.object, access.at, access.size, access.reads, access.writes);
  if (access.reads)
    synchronise_load(*this, t, access.at, access.size,
                     i.op == Opcode::CompareExchange && !access.writes ? program::failure_order_of(i) : order);
  if (!access.writes) return;
  synchronise_store(*this, t, access.at, access.size, order,
                    access.reads ? Sequence::Update : sequence_of_store(*this, t));
  const uint64_t stores_before = t.stores;
  write_value(*this, t, access);
  if (HEDDLE_UNLIKELY(unwritten) && keeps_unknown(i))
    memory_.mark_unwritten(*access.object, access.at.offset(), (1u << access.size) - 1);
  if (values) values->end_atomic(true);
  if (values && values->stores_unknown() && t.stores == stores_before) ++t.stores;  // other inputs change it
  event.value_written = access.value[0];
  if (HEDDLE_UNLIKELY(in_library(t.pc))) check_counter(t, access.at, access.value[0]);
}

// A compare-exchange that fails, an exchange of the value that is there.
bool Machine::State::changes_nothing(const Thread& t) const {
  const Instruction& i = image_->program->instruction(image_->address(t.pc));
  const uint64_t* const r = t.stack + t.fp;
  if (i.width > 64 || (i.op != Opcode::AtomicUpdate && i.op != Opcode::CompareExchange)) return false;
  const uint64_t old = peek({r[i.a]}, (i.width + 7u) / 8);
  if (Symbols::any(symbols_.get()) &&
      (symbols_->any_in(r[i.a], (i.width + 7u) / 8) || symbols_->slot(t.id, t.fp + i.b).number != 0))
    return false;  // other inputs may change it
  if (i.op == Opcode::CompareExchange) return old != r[i.b];
  return updated(static_cast<UpdateKind>(i.imm), old, r[i.b], i.width) == old;
}

// std::counting_semaphore<N>::release must not go beyond N, std::latch::count_down not below zero.
bool Machine::State::check_counter(Thread& t, Pointer counter, uint64_t value) {
  if (!image_->functions[image_->address(t.pc).function.value].adds_for_library) return true;
  for (const uint32_t pc : stack_of(t)) {
    const CodeAddress at = image_->address(pc);
    if (!at.function.valid()) continue;
    const FunctionInfo& function = image_->functions[at.function.value];
    if (function.in_project) return true;
    if (function.counts_latch_down && static_cast<int32_t>(value) < 0)
      return fault(t, FaultKind::LockMisuse, "counts " + name_of(counter, 4) + " below zero", counter, 4);
    if (function.semaphore_most == 0) continue;
    if (value > function.semaphore_most)
      return fault(
          t, FaultKind::LockMisuse,
          "releases " + name_of(counter, 4) + " beyond its maximum of " + std::to_string(function.semaphore_most),
          counter, 4);
    return true;
  }
  return true;
}

// On memory that no other thread can reach: nothing to order, and no thread to notice.
bool Machine::State::perform_local_atomic(Thread& t) {
  const Instruction& i = image_->program->instruction(image_->address(t.pc));
  std::optional<SymbolicValues> values;
  if (HEDDLE_UNLIKELY(Symbols::any(symbols_.get())) && image_->code[t.pc].code == Code::LocalAtomic) {
    values.emplace(*this, t);
    values->begin_atomic(i, {t.stack[t.fp + i.a] + (i.op == Opcode::AtomicStore ? static_cast<uint64_t>(i.imm) : 0)});
  }
  const Access access = begin_access(*this, t, i);
  if (access.object == nullptr) return false;
  if (!access.writes) return true;
  write_value(*this, t, access);
  if (values) values->end_atomic(true);
  return !in_library(t.pc) || check_counter(t, access.at, access.value[0]);
}

}  // namespace heddle::machine
