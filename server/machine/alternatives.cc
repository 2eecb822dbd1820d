// In how many ways the pending operation of a thread can go now; 0: another thread stands in its way.
#include <algorithm>

#include "server/machine/library/model.h"
#include "server/machine/sync/codes.h"

namespace heddle::machine {
namespace {

using State = Machine::State;

uint32_t waiters(const State& s, uint64_t condition) {
  uint32_t count = 0;
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {
    const Thread* w = s.threads_[id];
    if (w != nullptr && w->life == Life::Running && in_condition_wait(*w) && !w->woken && w->waits_for == condition)
      ++count;
  }
  return count;
}

// The destruction of a barrier waits until all threads of a round that is over have left it.
bool is_being_left(State& s, const Thread& t) {
  const SyncObject* b = s.find_sync(t.pending.object);
  if (b == nullptr || b->kind != SyncKind::Barrier) return false;
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {
    const Thread* other = s.threads_[id];
    if (other != nullptr && other->life == Life::Running && other->phase == Phase::BarrierLeave &&
        other->pending.object == t.pending.object && other->waits_since != b->generation)
      return true;
  }
  return false;
}

// The column Alternatives of operation_kinds.def.

uint32_t one(State&, Thread&) { return 1; }

uint32_t of_lock(State& s, Thread& t) {
  const SyncObject* m = s.find_sync(t.pending.object);
  if (m == nullptr || m->owner == ThreadId::kNone || m->kind == SyncKind::None) return 1;
  return m->owner == t.id && (m->type & kTypeMask) != 0 ? 1 : 0;
}

uint32_t of_read_lock(State& s, Thread& t) {
  const SyncObject* l = s.find_sync(t.pending.object);
  if (l == nullptr || l->kind != SyncKind::ReadWriteLock) return 1;
  return (l->owner == ThreadId::kNone || l->owner == t.id) && !writer_waits(s, *l);
}

uint32_t of_write_lock(State& s, Thread& t) {
  const SyncObject* l = s.find_sync(t.pending.object);
  return l == nullptr || l->kind != SyncKind::ReadWriteLock || (l->owner == ThreadId::kNone && l->count == 0) ||
         l->owner == t.id;
}

uint32_t of_wake(State& s, Thread& t) {
  const SyncObject* m = s.find_sync({t.waits_mutex});
  if (m != nullptr && m->owner != ThreadId::kNone && m->owner != t.id) return 0;
  const bool cancelled = t.pending.cancellable && t.cancel_requested;
  if (t.woken) return t.perhaps_late && (cancelled || t.timed) ? 2 : 1;  // the last one: it came too late
  if (cancelled) return 1;
  return s.options_.spurious_wakeups + (t.timed ? 1 : 0);  // the last one: the time is up
}

uint32_t of_signal(State& s, Thread& t) { return std::max<uint32_t>(1, waiters(s, t.pending.object.bits)); }

uint32_t of_futex_return(State&, Thread& t) { return t.woken || t.timed; }

uint32_t of_futex_wake(State& s, Thread& t) { return futex_wake_alternatives(s, t); }

uint32_t of_semaphore_wait(State& s, Thread& t) {
  if (const VisibleRow* row = s.visible_row(t); row != nullptr && row->object == kSignalObject)
    return signal_alternatives(s, t);
  const SyncObject* found = s.find_sync(t.pending.object);
  return found == nullptr || found->kind != SyncKind::Semaphore || found->count > 0 || found->destroyed;
}

uint32_t of_destroy(State& s, Thread& t) { return !is_being_left(s, t); }

uint32_t of_barrier_leave(State& s, Thread& t) {
  const SyncObject* b = s.find_sync(t.pending.object);
  return b == nullptr || b->generation != t.waits_since;
}

uint32_t of_once_enter(State& s, Thread& t) {
  const SyncObject* o = s.find_sync(t.pending.object);
  return o == nullptr || o->kind != SyncKind::Once || o->state != 1 || (o->type == kGuard && o->owner == t.id);
}

uint32_t of_join(State& s, Thread& t) {
  const Operation& op = t.pending;
  if (op.object.bits == kAllOthers) return s.others_are_stuck(t);
  if (op.object.bits >= s.threads_.limit() || op.object.bits == t.id) return 1;
  const Thread* other = s.threads_[op.object.bits];
  if (other == nullptr || other->life != Life::Running || other->detached) return 1;
  return op.size != 0;  // it only tries
}

// The thread is to be cancelled: it continues, or ends there.
uint32_t of_test_cancel(const State& s, const Thread& t) {
  if (!t.pending.cancellable || !t.cancel_requested) return 1;
  const VisibleRow* const row = s.visible_row(t);
  return row != nullptr && row->kind == OperationKind::TestCancel && row->size == kPerhaps ? 2 : 1;
}

uint32_t of_interruption(State& s, Thread& t) { return s.interruption_alternatives(t); }

uint32_t of_update(State& s, Thread& t) { return t.pending.compares ? s.exchange_alternatives(t) : 1u; }

uint32_t of_data(State& s, Thread& t) { return s.data_alternatives(t); }

constexpr uint32_t (*kAlternatives[])(State&, Thread&) = {
#define HEDDLE_OPERATION(Kind, Family, Wait, Effect, InWaiting, Watch, CancellationPoint, Pending, Alternatives, ...) \
  Alternatives,
#include "server/machine/operation_kinds.def"
#undef HEDDLE_OPERATION
};

}  // namespace

uint32_t Machine::State::section_owner() {
  const SyncObject* section = find_sync(Pointer::make(process_object(kSections.name, kSections.size), 0));
  return section == nullptr ? ThreadId::kNone : section->owner;
}

// Another thread is in a section, and can run. One that waits for something within its section gives way: a deadlock of
// the section alone is none of the program.
bool Machine::State::waits_for_section(const Thread& t) {
  const uint32_t owner = section_owner();
  return owner != ThreadId::kNone && owner != t.id && threads_[owner]->life == Life::Running &&
         alternatives(*threads_[owner]) != 0;
}

uint32_t Machine::State::alternatives_of_call(Thread& t) {
  if (HEDDLE_UNLIKELY(t.pending.section == AtomicSection::Outside) && waits_for_section(t)) return 0;
  if (t.pending.kind == OperationKind::TakeSignal) return interruption_alternatives(t);
  if (t.phase == Phase::SetAside || spin_.waits(t)) return 0;
  if (t.pending.kind == OperationKind::TestCancel) return of_test_cancel(*this, t);
  return kAlternatives[static_cast<uint8_t>(t.pending.kind)](*this, t);
}

}  // namespace heddle::machine
