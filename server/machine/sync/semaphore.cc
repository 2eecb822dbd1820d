// Semaphores, barriers and once.
#include "server/machine/exceptions/exceptions.h"
#include "server/machine/exceptions/jump.h"
#include "server/machine/library/model.h"
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kSemaphoreSize = 32, kBarrierSize = 32, kOnceSize = 4;
constexpr uint32_t kSemaphoreMost = 0x7fffffff;

SyncObject* semaphore_of(SyncCall& call) {
  const SyncObject* known = call.state.find_sync(call.operation.object);
  const bool fresh = known == nullptr || known->kind != SyncKind::Semaphore;
  if (fresh && call.row.kind != OperationKind::Initialise) {
    if (call.state.readable(call.thread, call.operation.object, kSemaphoreSize, "uses") != nullptr)
      call.misuse("uses " + call.state.name_of(call.operation.object, 1) + ", which was never initialised");
    return nullptr;
  }
  return call.object(SyncKind::Semaphore, kSemaphoreSize);
}

void fail_with_errno(SyncCall& call, int code) {
  if (!set_errno(call.state, call.thread, code)) return;
  call.result(0xffffffffu);
}

void semaphore_wait(SyncCall& call) {
  SyncObject* s = semaphore_of(call);
  if (s == nullptr) return;
  if (is_bad_time(call)) {
    --s->version;
    call.failed = true;
    return fail_with_errno(call, kInvalid);
  }
  if (s->count == 0 || call.event.older) {  // older: it was, once
    --s->version;
    call.failed = true;
    if (call.operation.kind == OperationKind::SemaphoreTimedWait) {
      time_is_up(call);
      call.thread.paused = true;
    }
    return fail_with_errno(call, call.operation.kind == OperationKind::SemaphoreTryWait ? kTryAgain : kTimedOut);
  }
  --s->count;
  call.state.clocks_.acquire(call.thread, s->clock);
  call.result(0);
}

void semaphore_post(SyncCall& call) {
  SyncObject* s = semaphore_of(call);
  if (s == nullptr) return;
  if (s->count == kSemaphoreMost) return fail_with_errno(call, kOverflow);
  ++s->count;
  call.state.clocks_.release(call.thread, s->clock);
  call.result(0);
}

void semaphore_read(SyncCall& call) {
  SyncObject* s = semaphore_of(call);
  if (s == nullptr) return;
  --s->version;
  if (!call.state.write(call.thread, {call.argument(1)}, &s->count, 4)) return;
  call.result(0);
}

void semaphore_init(SyncCall& call) {
  const uint32_t value = static_cast<uint32_t>(call.argument(2));
  if (value > kSemaphoreMost) return fail_with_errno(call, kInvalid);
  if (!call.may_initialise() || !call.state.fill(call.thread, call.operation.object, 0, kSemaphoreSize, true)) return;
  SyncObject* s = semaphore_of(call);
  if (s == nullptr) return;
  call.initialised(*s);
  s->destroyed = 0;
  s->count = value;
  call.result(0);
}

void semaphore_destroy(SyncCall& call) {
  SyncObject* s = semaphore_of(call);
  if (s == nullptr) return;
  for (uint32_t id = 0; id < call.state.threads_.limit(); ++id) {
    const Thread* w = call.state.threads_[id];
    if (w == nullptr || w->life != Life::Running || w->pending.kind != OperationKind::SemaphoreWait ||
        w->pending.object != call.operation.object || s->count != 0)
      continue;
    call.misuse("destroys " + call.state.name_of(call.operation.object, 1) + " while " + call.state.thread_name(id) +
                " waits for it");
    return;
  }
  s->destroyed = 1;
  call.result(0);
}

SyncObject* barrier_of(SyncCall& call) { return call.object(SyncKind::Barrier, kBarrierSize); }

void barrier_init(SyncCall& call) {
  uint32_t attribute = 0;
  if (call.argument(1) != 0 && !call.read_attribute(1, 0, &attribute, 4)) return;
  if (static_cast<uint32_t>(call.argument(2)) == 0) return call.error(kInvalid);
  if (!call.may_initialise() || !call.state.fill(call.thread, call.operation.object, 0, kBarrierSize, true)) return;
  SyncObject* b = barrier_of(call);
  if (b == nullptr) return;
  call.initialised(*b);
  b->destroyed = 0;
  b->count = static_cast<uint32_t>(call.argument(2));
  b->arrived = 0;
  call.error(0);
}

void barrier_wait(SyncCall& call) {
  SyncObject* b = barrier_of(call);
  if (b == nullptr) return;
  Thread& t = call.thread;
  if (t.phase == Phase::BarrierLeave) {
    call.state.clocks_.acquire(t, b->second_clock);
    call.state.clocks_.release(t, b->second_clock);  // for who destroys it: see is_being_left
    t.phase = Phase::Normal;
    return call.result(0);
  }
  if (b->count == 0) {
    call.misuse("waits at " + call.state.name_of(call.operation.object, 1) + ", which was never initialised");
    return;
  }
  call.state.clocks_.release(t, b->clock);
  if (++b->arrived < b->count) {
    t.phase = Phase::BarrierLeave;
    t.waits_since = b->generation;
    call.stays = true;
    return;
  }
  b->arrived = 0;
  ++b->generation;
  b->second_clock = b->clock;
  b->clock = 0;
  call.state.clocks_.acquire(t, b->second_clock);
  call.result(0xffffffffu);  // PTHREAD_BARRIER_SERIAL_THREAD
}

void barrier_destroy(SyncCall& call) {
  SyncObject* b = barrier_of(call);
  if (b == nullptr) return;
  if (b->arrived != 0) {
    call.misuse("destroys " + call.state.name_of(call.operation.object, 1) + " while threads wait at it");
    return;
  }
  b->destroyed = 1;
  call.state.clocks_.acquire(call.thread, b->second_clock);
  call.error(0);
}

// The initialiser runs in a frame of this model, which ends in a visible OnceLeave.
void once(SyncCall& call) {
  SyncObject* o = call.object(SyncKind::Once, kOnceSize);
  if (o == nullptr) return;
  Thread& t = call.thread;
  if (t.phase == Phase::OnceLeave && t.unwinding) {  // the initialiser threw, or ends its thread: another call may try
    o->state = 0;
    call.state.clocks_.release(t, o->clock);
    t.phase = Phase::Normal;
    t.unwinding = false;
    call.pushed = true;
    if (t.exception == 0)
      end_thread(call.state, t, t.result);
    else if (t.ending)
      call.state.resume_unwinding(t, t.exception);
    else
      call.pushed = Exceptions(call.state, t).unwind(t.exception);
    return;
  }
  if (t.phase == Phase::OnceLeave) {
    o->state = kOnceDone;
    call.state.mark_memory(*o);
    call.state.clocks_.release(t, o->clock);
    t.phase = Phase::Normal;
    return call.error(0);
  }
  if (o->state == kOnceDone) {
    call.state.clocks_.acquire(t, o->clock);
    return call.error(0);
  }
  Callee callee;
  if (!call.state.image_->callee_of(call.argument(1), callee)) {
    call.state.fault(t, FaultKind::WildPointer,
                     "the initialiser of " + call.state.name_of(call.operation.object, 1) + " is no function");
    return;
  }
  if (callee.kind != Callee::Kind::Function) {
    call.state.fault_not_ours(t, "initialises by", callee, "an initialiser that is a function of the library");
    return;
  }
  o->state = 1;
  o->owner = t.id;
  call.state.clocks_.acquire(t, o->clock);
  if (enter_model(call.state, t, once_model, callee, {})) call.pushed = true;
}

}  // namespace

std::span<const VisibleRow> semaphore_rows() {
  using K = OperationKind;
  static const VisibleRow rows[] = {
      {"sem_wait", K::SemaphoreWait, 0, -1, false, semaphore_wait},
      {"sem_trywait", K::SemaphoreTryWait, 0, -1, false, semaphore_wait},
      {"sem_timedwait", K::SemaphoreTimedWait, 0, -1, false, semaphore_wait},
      {"sem_clockwait", K::SemaphoreTimedWait, 0, -1, false, semaphore_wait},
      {"sem_post", K::SemaphorePost, 0, -1, false, semaphore_post},
      {"sem_getvalue", K::SemaphoreRead, 0, -1, false, semaphore_read},
      {"sem_init", K::Initialise, 0, -1, false, semaphore_init},
      {"sem_destroy", K::Destroy, 0, -1, false, semaphore_destroy},
      {"pthread_barrier_init", K::Initialise, 0, -1, false, barrier_init},
      {"pthread_barrier_wait", K::BarrierArrive, 0, -1, false, barrier_wait},
      {"pthread_barrier_destroy", K::Destroy, 0, -1, false, barrier_destroy},
      {"pthread_once", K::OnceEnter, 0, -1, false, once},
      {"call_once", K::OnceEnter, 0, -1, true, once},
  };
  return rows;
}

}  // namespace heddle::machine
