// Reader-writer locks.
#include "server/library/misuse.h"
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kSize = 56;

SyncObject* lock_of(SyncCall& call) { return call.object(SyncKind::ReadWriteLock, kSize); }

// How many read locks the thread holds.
uint32_t& reads(SyncCall& call, SyncObject& l) {
  if (l.readers == 0) l.readers = call.state.clocks_.make();
  Clock& counts = call.state.clocks_.at(l.readers);
  call.state.clocks_.touch(counts);
  return counts.at[call.thread.id];
}

void fail(SyncCall& call, SyncObject& l, int code) {
  --l.version;
  call.failed = true;
  call.error(code);
}

void read_lock(SyncCall& call) {
  SyncObject* l = lock_of(call);
  if (l == nullptr) return;
  if (is_bad_time(call)) return fail(call, *l, kInvalid);
  if (l->owner != ThreadId::kNone || call.event.older || writer_waits(call.state, *l)) {  // older: it was held once
    const bool mine = l->owner == call.thread.id;
    if (call.operation.kind == OperationKind::ReadLock) return fail(call, *l, kDeadlock);
    return fail(call, *l, call.operation.kind == OperationKind::TimedReadLock ? mine ? kDeadlock : kTimedOut : kBusy);
  }
  ++l->count;
  ++reads(call, *l);
  l->locked_at = call.thread.pc;
  call.state.clocks_.acquire(call.thread, l->clock);
  call.error(0);
}

// The thread stays at the call: its next operation takes the lock.
void begin_to_wait(SyncCall& call) {
  call.failed = true;
  call.stays = true;
  call.thread.phase = Phase::WriterWait;
}

void write_lock(SyncCall& call) {
  SyncObject* l = lock_of(call);
  if (l == nullptr) return;
  if (is_bad_time(call)) return fail(call, *l, kInvalid);
  if (l->owner != ThreadId::kNone || l->count != 0 || call.event.older) {
    const bool mine = l->owner == call.thread.id;
    if (call.operation.kind == OperationKind::WriteRequest && !mine) return begin_to_wait(call);
    if (call.row.kind == OperationKind::WriteLock) return fail(call, *l, kDeadlock);
    return fail(call, *l, call.operation.kind == OperationKind::TimedWriteLock ? mine ? kDeadlock : kTimedOut : kBusy);
  }
  call.thread.phase = Phase::Normal;
  l->owner = call.thread.id;
  l->locked_at = call.thread.pc;
  call.state.clocks_.acquire(call.thread, l->clock);
  call.state.clocks_.acquire(call.thread, l->second_clock);
  call.error(0);
}

// std::shared_mutex has two members for it, which both come to pthread_rwlock_unlock: the outermost counts.
library::HoldMode given_back_as(const SyncCall& call) {
  using library::HoldMode;
  HoldMode mode = HoldMode::Any;
  if (!call.state.in_library(call.thread.pc)) return mode;
  for (const uint32_t pc : call.state.stack_of(call.thread)) {
    if (!call.state.in_library(pc)) break;
    const HoldMode by =
        library::given_back_by(call.state.image_->program->stable_name(call.state.image_->address(pc).function));
    if (by != HoldMode::Any) mode = by;
  }
  return mode;
}

void unlock_rwlock(SyncCall& call) {
  SyncObject* l = lock_of(call);
  if (l == nullptr) return;
  const library::HoldMode as = given_back_as(call);
  if (l->owner == call.thread.id) {
    if (as == library::HoldMode::Shared) {
      call.misuse("gives " + call.state.name_of(call.operation.object, 1) +
                  " back with unlock_shared(), but has locked it exclusively");
      return;
    }
    l->owner = ThreadId::kNone;
    if (l->clock == 0) l->clock = call.state.clocks_.make();
    call.state.clocks_.copy(l->clock, call.thread.clock);
    return call.error(0);
  }
  if (reads(call, *l) == 0) {
    call.misuse("unlocks " + call.state.name_of(call.operation.object, 1) + ", which it has not locked");
    return;
  }
  if (as == library::HoldMode::Exclusive) {
    call.misuse("gives " + call.state.name_of(call.operation.object, 1) +
                " back with unlock(), but has locked it shared");
    return;
  }
  --reads(call, *l);
  --l->count;
  call.state.clocks_.release(call.thread, l->second_clock);
  call.error(0);
}

void initialise_rwlock(SyncCall& call) {
  uint32_t kind = 0;
  if (call.argument(1) != 0 && !call.read_attribute(1, 0, &kind, 4)) return;
  if (!call.may_initialise() || !call.state.fill(call.thread, call.operation.object, 0, kSize, true)) return;
  if (!call.state.write(call.thread, {call.operation.object.bits + kReadWriteKind}, &kind, 4)) return;
  SyncObject* l = lock_of(call);
  if (l == nullptr) return;
  call.initialised(*l);
  l->type = static_cast<uint8_t>(kind);
  l->destroyed = 0;
  call.error(0);
}

void destroy_rwlock(SyncCall& call) {
  SyncObject* l = lock_of(call);
  if (l == nullptr) return;
  if (l->owner != ThreadId::kNone || l->count != 0) {
    call.misuse("destroys " + call.state.name_of(call.operation.object, 1) + " while it is locked");
    return;
  }
  l->destroyed = 1;
  call.state.mark_memory(*l);
  call.error(0);
}

}  // namespace

bool prefers_writers(const Machine::State& s, Pointer lock) {
  const SyncObject* l = s.find_sync(lock);
  const bool known = l != nullptr && l->kind == SyncKind::ReadWriteLock;
  return (known ? l->type : s.peek({lock.bits + kReadWriteKind}, 4)) == kPrefersWriters;
}

bool writer_waits(const Machine::State& s, const SyncObject& lock) {
  if (lock.type != kPrefersWriters) return false;
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {
    const Thread* w = s.threads_[id];
    if (w != nullptr && w->life == Life::Running && w->phase == Phase::WriterWait &&
        w->pending.object.bits == lock.address)
      return true;
  }
  return false;
}

std::span<const VisibleRow> read_write_rows() {
  using K = OperationKind;
  static const VisibleRow rows[] = {
      {"pthread_rwlock_rdlock", K::ReadLock, 0, -1, false, read_lock},
      {"pthread_rwlock_tryrdlock", K::TryReadLock, 0, -1, false, read_lock},
      {"pthread_rwlock_timedrdlock", K::TimedReadLock, 0, -1, false, read_lock},
      {"pthread_rwlock_clockrdlock", K::TimedReadLock, 0, -1, false, read_lock},
      {"pthread_rwlock_wrlock", K::WriteLock, 0, -1, false, write_lock},
      {"pthread_rwlock_trywrlock", K::TryWriteLock, 0, -1, false, write_lock},
      {"pthread_rwlock_timedwrlock", K::TimedWriteLock, 0, -1, false, write_lock},
      {"pthread_rwlock_clockwrlock", K::TimedWriteLock, 0, -1, false, write_lock},
      {"pthread_rwlock_unlock", K::ReadWriteUnlock, 0, -1, false, unlock_rwlock},
      {"pthread_rwlock_init", K::Initialise, 0, -1, false, initialise_rwlock},
      {"pthread_rwlock_destroy", K::Destroy, 0, -1, false, destroy_rwlock},
  };
  return rows;
}

}  // namespace heddle::machine
