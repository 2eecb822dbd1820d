// Atomic instructions: values are sequentially consistent, happens-before follows the memory orders (C17 5.1.2.4,
// 7.17.3; release sequences as in C++20: a later store of the same thread does not continue one).
#include "server/machine/atomics.h"

#include <algorithm>

#include "server/machine/interpreter.h"

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
    s.acquire(t, l.release_clock);
  } else {  // for a later acquire fence
    if (t.acquire_clock == 0) t.acquire_clock = s.make_clock();
    s.join_clock(t.acquire_clock, l.release_clock);
  }
}

}  // namespace

// A load sees all locations that it overlaps: where sizes are mixed, several may have written its bytes.
void synchronise_load(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order) {
  const bool acquire = acquires(order);
  if (!(s.objects_.find(at.bits)->flags & kMixedAtomics)) {
    if (const AtomicLocation* l = s.find_atomic(at)) load_from(s, t, *l, acquire);
    return;
  }
  const uint32_t before = std::min<uint32_t>(at.offset(), kAtomicMost - 1);
  for (uint64_t p = at.bits - before; p < at.bits + size; ++p)
    if (const AtomicLocation* l = s.find_atomic({p}); l != nullptr && l->address + l->size > at.bits)
      load_from(s, t, *l, acquire);
}

void synchronise_store(Machine::State& s, Thread& t, Pointer at, uint32_t size, MemoryOrder order, bool update) {
  if (!releases(order) && t.release_clock == 0) {
    if (update) return;  // continues the release sequence, or there is none
    AtomicLocation* l = s.find_atomic(at);
    if (l == nullptr || l->release_clock == 0) return;
    s.touch(*l);
    l->release_clock = 0;
    return;
  }
  AtomicLocation& l = s.atomic_location(at, size);
  s.touch(l);
  const uint32_t from = releases(order) ? t.clock : t.release_clock;
  if (update && l.release_clock != 0) {
    s.join_clock(l.release_clock, from);
  } else {
    if (l.release_clock == 0) l.release_clock = s.make_clock();
    s.copy_clock(l.release_clock, from);
  }
}

void synchronise_fence(Machine::State& s, Thread& t, MemoryOrder order) {
  if (acquires(order) && t.acquire_clock != 0) s.acquire(t, t.acquire_clock);
  if (releases(order)) {
    if (t.release_clock == 0) t.release_clock = s.make_clock();
    s.copy_clock(t.release_clock, t.clock);
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

void Machine::State::perform_atomic(Thread& t, Event& event) {
  const Instruction& i = image_->program->instruction(image_->address(t.pc));
  uint64_t* const r = t.stack + t.fp;
  const MemoryOrder order = program::order_of(i);
  if (i.op == Opcode::Fence) return synchronise_fence(*this, t, order);
  const uint32_t size = (i.width + 7u) / 8;
  const bool has_offset = i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore;
  const Pointer at{r[i.a] + (has_offset ? static_cast<uint64_t>(i.imm) : 0)};
  Object* const o = atomic_object(*this, t, at, size, i.op != Opcode::AtomicLoad);
  if (o == nullptr) return;
  uint64_t old[2] = {0, 0};
  std::memcpy(old, o->data + at.offset(), size);
  event.value_read = old[0];
  uint64_t value[2] = {0, 0};
  bool writes = true, reads = true;
  switch (i.op) {
    case Opcode::AtomicLoad:
      writes = false;
      r[i.dst] = old[0];
      if (i.width > 64) r[i.dst + 1] = old[1];
      break;
    case Opcode::AtomicStore:
      reads = false;
      value[0] = r[i.b];
      if (i.width > 64) value[1] = r[i.b + 1];
      break;
    case Opcode::AtomicUpdate:
      value[0] = updated(static_cast<UpdateKind>(i.imm), old[0], r[i.b], i.width);
      r[i.dst] = old[0];
      break;
    default: {  // CompareExchange
      const uint32_t slots = i.width > 64 ? 2 : 1;
      const bool same = old[0] == r[i.b] && (slots == 1 || old[1] == r[i.b + 1]);
      value[0] = r[i.imm];
      if (slots == 2) value[1] = r[i.imm + 1];
      r[i.dst] = old[0];
      if (slots == 2) r[i.dst + 1] = old[1];
      r[i.dst + slots] = same;
      writes = same;
      break;
    }
  }
  access_atomic(t, *o, at, size, reads, writes);
  if (reads)
    synchronise_load(*this, t, at, size,
                     i.op == Opcode::CompareExchange && !writes ? program::failure_order_of(i) : order);
  if (!writes) return;
  synchronise_store(*this, t, at, size, order, reads);
  before_store(*o, at.bits, at.offset(), size);
  std::memcpy(o->data + at.offset(), value, size);
  after_store(*o, at.bits, at.offset(), size);
  if (old[0] != value[0] || old[1] != value[1]) ++t.stores;  // writing what is there changes nothing
  event.value_written = value[0];
}

}  // namespace heddle::machine
