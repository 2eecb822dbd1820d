// Condition variables. A wait is two operations: Wait gives the mutex back, Wake takes it again once the thread was
// signalled (or its time is up). A signal orders nothing: the mutex does.
//
// The time may be up, or a request of cancellation come, while another thread holds the mutex: then the thread no longer
// waits for a signal that comes meanwhile, and queues for the mutex. It is known only when it has the mutex, so a signal
// wakes it, and Wake has an alternative in which it came too late. A signal of one thread would have gone to another one
// that waits. So there is that alternative only if all others that wait have a time limit: each of these may have been
// the one, and is woken as late by its own.
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kSize = 48;

SyncObject* condition_of(SyncCall& call) { return call.object(SyncKind::Condition, kSize); }

bool is_timed(const VisibleRow& row) {
  return row.name == "pthread_cond_timedwait" || row.name == "pthread_cond_clockwait" || row.name == "cnd_timedwait";
}

bool waits_at(const Thread* w, uint64_t condition) {
  return w != nullptr && w->life == Life::Running && in_condition_wait(*w) && !w->woken && w->waits_for == condition;
}

void begin_wait(SyncCall& call) {
  SyncObject* c = condition_of(call);
  if (c == nullptr) return;
  --c->version;
  Thread& t = call.thread;
  if (t.handler_in_wait) {
    call.state.fault(t, FaultKind::Unsupported, "a handler that waits while it interrupts a wait");
    return;
  }
  SyncObject* m = call.state.find_sync(call.operation.second);
  if (m == nullptr || m->kind != SyncKind::Mutex || m->owner != t.id) {
    call.misuse("waits for " + call.state.name_of(call.operation.object, 1) + " without holding " +
                call.state.name_of(call.operation.second, 1));
    return;
  }
  for (uint32_t id = 0; id < call.state.threads_.limit(); ++id) {
    const Thread* w = call.state.threads_[id];
    if (!waits_at(w, call.operation.object.bits) || w->waits_mutex == call.operation.second.bits) continue;
    call.misuse("waits for " + call.state.name_of(call.operation.object, 1) + " with " +
                call.state.name_of(call.operation.second, 1) + " while " + call.state.thread_name(id) + " waits with " +
                call.state.name_of({w->waits_mutex}, 1));
    return;
  }
  if (is_bad_time(call)) {
    call.failed = true;
    return call.error(kInvalid);
  }
  call.state.undo_.touch(*m);
  ++m->version;
  if (--m->count == 0) {  // of a recursive mutex one level is given back: the thread may still hold it
    m->owner = ThreadId::kNone;
    if (static_cast<Robust>(m->state) == Robust::Inconsistent) m->state = static_cast<uint8_t>(Robust::NotRecoverable);
    if (m->clock == 0) m->clock = call.state.clocks_.make();
    call.state.clocks_.copy(m->clock, t.clock);
  }
  t.phase = Phase::Wake;
  t.waits_for = call.operation.object.bits;
  t.waits_mutex = call.operation.second.bits;
  t.woken = t.perhaps_late = false;
  t.timed = is_timed(call.row);
  call.stays = true;
}

void end_condition_wait(SyncCall& call) {
  Thread& t = call.thread;
  SyncObject* m = call.state.find_sync({t.waits_mutex});
  if (m == nullptr) {
    call.misuse("wakes up, but " + call.state.name_of(call.operation.second, 1) + " is gone");
    return;
  }
  call.state.undo_.touch(*m);
  ++m->version;
  t.phase = Phase::Normal;
  t.waits_for = 0;
  if (static_cast<Robust>(m->state) == Robust::NotRecoverable) {  // it is not taken again
    t.woken = false;
    return call.error(kNotRecoverable);
  }
  if (m->owner != t.id) {
    m->owner = t.id;
    m->count = 0;
    m->locked_at = t.pc;
  }
  ++m->count;
  call.state.clocks_.acquire(t, m->clock);
  const bool last = call.alternative + 1 == call.operation.alternatives;
  const bool signalled = t.woken && (!last || call.operation.alternatives == 1);
  const bool in_time = signalled || !t.timed || (!t.woken && !last);  // or woken for nothing
  call.error(static_cast<Robust>(m->state) == Robust::OwnerDied ? kOwnerDead : in_time ? 0 : kTimedOut);
  if (m->state != 0) m->state = static_cast<uint8_t>(Robust::Inconsistent);
  call.failed = !signalled;
  call.spurious = !t.woken && in_time;
  t.woken = t.perhaps_late = false;
}

void wait(SyncCall& call) { call.thread.phase == Phase::Wake ? end_condition_wait(call) : begin_wait(call); }

void signal(SyncCall& call) {
  SyncObject* c = condition_of(call);
  if (c == nullptr) return;
  const bool all = call.row.kind == OperationKind::Broadcast;
  uint32_t n = 0, without_limit = 0;
  for (uint32_t id = 0; id < call.state.threads_.limit(); ++id) {
    const Thread* w = call.state.threads_[id];
    without_limit += waits_at(w, call.operation.object.bits) && !w->timed;
  }
  call.failed = true;  // no thread waits
  for (uint32_t id = 0; id < call.state.threads_.limit(); ++id) {
    Thread* w = call.state.threads_[id];
    if (!waits_at(w, call.operation.object.bits)) continue;
    if (all || n++ == call.alternative) {
      call.state.touch_running(*w);
      w->woken = true;
      w->perhaps_late = (w->timed || call.state.image_->cancels) && (all || without_limit == (w->timed ? 0u : 1u));
      call.failed = false;
    }
  }
  call.error(0);
}

void initialise_condition(SyncCall& call) {
  uint32_t attribute = 0;
  if (!call.row.c11 && call.argument(1) != 0 && !call.read_attribute(1, 0, &attribute, 4)) return;
  if (!call.may_initialise() || !call.state.fill(call.thread, call.operation.object, 0, kSize, true)) return;
  SyncObject* c = condition_of(call);
  if (c == nullptr) return;
  call.initialised(*c);
  c->destroyed = 0;
  call.error(0);
}

void destroy_condition(SyncCall& call) {
  SyncObject* c = condition_of(call);
  if (c == nullptr) return;
  for (uint32_t id = 0; id < call.state.threads_.limit(); ++id) {
    const Thread* w = call.state.threads_[id];
    if (!waits_at(w, call.operation.object.bits)) continue;
    call.misuse("destroys " + call.state.name_of(call.operation.object, 1) + " while " + call.state.thread_name(id) +
                " waits for it");
    return;
  }
  c->destroyed = 1;
  call.state.mark_memory(*c);
  call.error(0);
}

}  // namespace

std::span<const VisibleRow> condition_rows() {
  using K = OperationKind;
  static const VisibleRow rows[] = {
      {"pthread_cond_wait", K::Wait, 0, 1, false, wait},
      {"pthread_cond_timedwait", K::Wait, 0, 1, false, wait},
      {"pthread_cond_clockwait", K::Wait, 0, 1, false, wait},
      {"pthread_cond_signal", K::Signal, 0, -1, false, signal},
      {"pthread_cond_broadcast", K::Broadcast, 0, -1, false, signal},
      {"pthread_cond_init", K::Initialise, 0, -1, false, initialise_condition},
      {"pthread_cond_destroy", K::Destroy, 0, -1, false, destroy_condition},
      {"cnd_wait", K::Wait, 0, 1, true, wait},
      {"cnd_timedwait", K::Wait, 0, 1, true, wait},
      {"cnd_signal", K::Signal, 0, -1, true, signal},
      {"cnd_broadcast", K::Broadcast, 0, -1, true, signal},
      {"cnd_init", K::Initialise, 0, -1, true, initialise_condition},
      {"cnd_destroy", K::Destroy, 0, -1, true, destroy_condition},
  };
  return rows;
}

}  // namespace heddle::machine
