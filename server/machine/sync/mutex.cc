// Mutexes (pthread, C11) and spin locks.
#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kMutexSize = 40, kSpinSize = 4;
constexpr uint32_t kFreeSpin = 1;  // as with glibc on x86

bool is_spin(const SyncCall& call) { return call.row.name.starts_with("pthread_spin"); }

// Zeros initialise a mutex of POSIX, but no spin lock (a free one holds another word) and no mutex of C11.
bool is_initialised(const SyncCall& call) {
  const Machine::State& s = call.state;
  const Pointer at = call.operation.object;
  const Object& o = *s.memory_.find(at.bits);
  if (!s.memory_.any_initialised(o, at.offset(), is_spin(call) ? kSpinSize : kMutexSize)) return false;
  if (is_spin(call)) return s.peek(at, kSpinSize) != 0;
  return !call.row.c11 || s.peek(at, 8) != 0 || (s.peek({at.bits + 16}, 4) & kMadeByC11) != 0;
}

SyncObject* mutex_of(SyncCall& call) {
  SyncObject* m = is_spin(call) ? call.object(SyncKind::SpinLock, kSpinSize) : call.object(SyncKind::Mutex, kMutexSize);
  if (m == nullptr) return nullptr;
  if (!is_initialised(call)) {
    call.misuse("uses " + call.state.name_of(call.operation.object, 1) + ", which was never initialised");
    return nullptr;
  }
  // Its state is not in its memory, and every initialiser begins with zeros, but for a spin lock's.
  if (call.state.peek(call.operation.object, is_spin(call) ? kSpinSize : 8) != (is_spin(call) ? kFreeSpin : 0)) {
    call.misuse("uses " + call.state.name_of(call.operation.object, 1) + ", over which something else was stored");
    return nullptr;
  }
  return m;
}

// A free mutex. A thread that locks a robust one whose owner died gets EOWNERDEAD.
void take(SyncCall& call, SyncObject& m) {
  if (static_cast<Robust>(m.state) == Robust::NotRecoverable) return call.error(kNotRecoverable);
  m.owner = call.thread.id;
  m.count = 1;
  m.locked_at = call.thread.pc;
  call.state.clocks_.acquire(call.thread, m.clock);
  call.error(static_cast<Robust>(m.state) == Robust::OwnerDied ? kOwnerDead : 0);
  if (m.state != 0) m.state = static_cast<uint8_t>(Robust::Inconsistent);
}

void lock(SyncCall& call) {
  SyncObject* m = mutex_of(call);
  if (m == nullptr) return;
  if (m->owner == call.thread.id) {
    if ((m->type & kTypeMask) == kRecursive) {
      ++m->count;
      return call.error(0);
    }
    return call.error(kDeadlock);  // errorcheck; the others never get here
  }
  take(call, *m);
}

int code_of_failed_lock(const SyncCall& call, const SyncObject& m) {
  if (call.row.kind != OperationKind::TimedLock) return kBusy;
  if (m.owner == call.thread.id && (m.type & kTypeMask) == kErrorCheck) return kDeadlock;
  return is_bad_time(call) ? kInvalid : kTimedOut;
}

void try_lock(SyncCall& call) {
  SyncObject* m = mutex_of(call);
  if (m == nullptr) return;
  if (call.row.kind == OperationKind::TimedLock && (m->type & kUntimed) != 0) {
    call.misuse("waits with a time limit for " + call.state.name_of(call.operation.object, 1) +
                ", which was initialised without mtx_timed");
    return;
  }
  if (m->owner == ThreadId::kNone && !call.event.older) return take(call, *m);  // older: it was held once
  if (m->owner == call.thread.id && (m->type & kTypeMask) == kRecursive) {
    ++m->count;
    return call.error(0);
  }
  --m->version;
  call.failed = true;
  call.error(code_of_failed_lock(call, *m));
}

void unlock(SyncCall& call) {
  SyncObject* m = mutex_of(call);
  if (m == nullptr) return;
  if (m->owner != call.thread.id) {
    const bool has_code =
        !call.row.c11 && !call.state.in_library(call.thread.pc);  // C11 and C++ define no error for it
    if ((m->type & (kTypeMask | kRobust)) != 0 && has_code) return call.error(kNotPermitted);
    const std::string name = call.state.name_of(call.operation.object, 1);
    if (m->owner == ThreadId::kNone)
      call.misuse("unlocks " + name + ", which is not locked");
    else
      call.misuse("unlocks " + name + ", which " + call.state.thread_name(m->owner) + " has locked");
    return;
  }
  call.error(0);
  if (--m->count > 0) return;
  m->owner = ThreadId::kNone;
  if (static_cast<Robust>(m->state) == Robust::Inconsistent) m->state = static_cast<uint8_t>(Robust::NotRecoverable);
  if (m->clock == 0) m->clock = call.state.clocks_.make();
  call.state.clocks_.copy(m->clock, call.thread.clock);
}

void initialise_mutex(SyncCall& call) {
  const uint32_t size = is_spin(call) ? kSpinSize : kMutexSize;
  Machine::State& s = call.state;
  uint32_t kind = 0;
  if (call.row.c11) {
    constexpr uint64_t kMtxRecursive = 1, kMtxTimed = 2;
    kind = (call.argument(1) & kMtxRecursive) != 0 ? kRecursive : 0;
    if ((call.argument(1) & kMtxTimed) == 0) kind |= kUntimed;
    kind |= kMadeByC11;
  } else if (!is_spin(call) && call.argument(1) != 0) {
    if (!call.read_attribute(1, 0, &kind, 4)) return;
    kind &= kTypeMask | kRobust;
  }
  if (!call.may_initialise() || !s.fill(call.thread, call.operation.object, 0, size, true)) return;
  if (is_spin(call) && !s.write(call.thread, call.operation.object, &kFreeSpin, kSpinSize)) return;
  if (!is_spin(call) && !s.write(call.thread, {call.operation.object.bits + 16}, &kind, 4)) return;
  kind &= ~kMadeByC11;
  SyncObject* m = is_spin(call) ? call.object(SyncKind::SpinLock, kSpinSize) : call.object(SyncKind::Mutex, kMutexSize);
  if (m == nullptr) return;
  call.initialised(*m);
  m->destroyed = 0;
  m->type = static_cast<uint8_t>((kind & kTypeMask) == kTypeMask ? kind & kRobust : kind);  // 3: adaptive
  m->state = 0;
  m->owner = ThreadId::kNone;
  m->count = 0;
  call.error(0);
}

// The owner has repaired what the mutex protects: seen by others once it is unlocked.
Status make_consistent(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  SyncObject* m = g.s.find_sync(g.pointer(0));
  const bool allowed = m != nullptr && m->kind == SyncKind::Mutex && m->owner == g.t->id &&
                       static_cast<Robust>(m->state) == Robust::Inconsistent;
  if (allowed) {
    g.s.undo_.touch(*m);
    m->state = static_cast<uint8_t>(Robust::Consistent);
  }
  g.result_int(allowed ? 0 : kInvalid);
  return Status::Done;
}

Status get_ceiling(Guest& g) {
  const uint32_t lowest = 1;
  if (!g.write(g.pointer(1), &lowest, 4)) return Status::Faulted;
  g.result_int(0);
  return Status::Done;
}

Status set_ceiling(Guest& g) {
  const uint32_t lowest = 1;
  if (g.argument(2) != 0 && !g.write(g.pointer(2), &lowest, 4)) return Status::Faulted;
  g.result_int(0);
  return Status::Done;
}

void destroy_mutex(SyncCall& call) {
  SyncObject* m = mutex_of(call);
  if (m == nullptr) return;
  if (m->owner != ThreadId::kNone) {
    call.misuse("destroys " + call.state.name_of(call.operation.object, 1) + " while " +
                call.state.thread_name(m->owner) + " has it locked");
    return;
  }
  m->destroyed = 1;
  call.state.mark_memory(*m);
  call.error(0);
}

}  // namespace

bool Machine::State::holds_robust_mutex(const Thread& t, uint64_t& mutex) const {
  for (const SyncObject* const known : sync_objects_.all()) {
    const SyncObject& m = *known;
    if (m.kind != SyncKind::Mutex || !(m.type & kRobust) || m.destroyed || m.owner != t.id) continue;
    mutex = m.address;
    return true;
  }
  return false;
}

void Machine::State::abandon_mutex(Thread& t) {
  SyncObject& m = *find_sync({t.waits_for});
  undo_.touch(m);
  ++m.version;
  m.owner = ThreadId::kNone;
  m.count = 0;
  m.state = static_cast<uint8_t>(Robust::OwnerDied);
  if (m.clock == 0) m.clock = clocks_.make();
  clocks_.copy(m.clock, t.clock);
  t.phase = Phase::Normal;
  t.waits_for = 0;
}

std::span<const BuiltinRow> mutex_builtins() {
  static const BuiltinRow rows[] = {
      {"pthread_mutex_consistent", make_consistent},
      {"pthread_mutex_consistent_np", make_consistent},
      {"pthread_mutex_getprioceiling", get_ceiling},
      {"pthread_mutex_setprioceiling", set_ceiling},
  };
  return rows;
}

std::span<const VisibleRow> mutex_rows() {
  using K = OperationKind;
  static const VisibleRow rows[] = {
      {"pthread_mutex_lock", K::Lock, 0, -1, false, lock},
      {"pthread_mutex_trylock", K::TryLock, 0, -1, false, try_lock},
      {"pthread_mutex_timedlock", K::TimedLock, 0, -1, false, try_lock},
      {"pthread_mutex_clocklock", K::TimedLock, 0, -1, false, try_lock},
      {"pthread_mutex_unlock", K::Unlock, 0, -1, false, unlock},
      {"pthread_mutex_init", K::Initialise, 0, -1, false, initialise_mutex},
      {"pthread_mutex_destroy", K::Destroy, 0, -1, false, destroy_mutex},
      {"pthread_spin_lock", K::Lock, 0, -1, false, lock},
      {"pthread_spin_trylock", K::TryLock, 0, -1, false, try_lock},
      {"pthread_spin_unlock", K::Unlock, 0, -1, false, unlock},
      {"pthread_spin_init", K::Initialise, 0, -1, false, initialise_mutex},
      {"pthread_spin_destroy", K::Destroy, 0, -1, false, destroy_mutex},
      {"mtx_lock", K::Lock, 0, -1, true, lock},
      {"mtx_trylock", K::TryLock, 0, -1, true, try_lock},
      {"mtx_timedlock", K::TimedLock, 0, -1, true, try_lock},
      {"mtx_unlock", K::Unlock, 0, -1, true, unlock},
      {"mtx_init", K::Initialise, 0, -1, true, initialise_mutex},
      {"mtx_destroy", K::Destroy, 0, -1, true, destroy_mutex},
  };
  return rows;
}

}  // namespace heddle::machine
