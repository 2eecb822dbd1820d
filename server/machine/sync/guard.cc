// Guards of static local variables: the first thread initialises, the others wait; an initialiser that throws lets the
// next one try. From: Itanium C++ ABI 3.3.2. Clang's code looks at the guard's first byte itself, with an acquire load.
#include "server/machine/atomics.h"
#include "server/machine/library/model.h"

namespace heddle::machine {
namespace {

SyncObject* guard_of(SyncCall& call) {
  SyncObject* guard = call.object(SyncKind::Once, 8);
  if (guard != nullptr) guard->type = kGuard;
  return guard;
}

void acquire(SyncCall& call) {
  SyncObject* guard = guard_of(call);
  if (guard == nullptr) return;
  if (guard->state == 1) {
    call.misuse("enters " + call.state.name_of(call.operation.object, 1) + " while the same thread is in it");
    return;
  }
  if (guard->state == kOnceDone) {
    call.state.clocks_.acquire(call.thread, guard->clock);
    return call.result(0);
  }
  guard->state = 1;
  guard->owner = call.thread.id;
  guard->locked_at = call.thread.pc;
  call.state.clocks_.acquire(call.thread, guard->clock);
  call.result(1);
}

void release(SyncCall& call) {
  SyncObject* guard = guard_of(call);
  if (guard == nullptr) return;
  Machine::State& s = call.state;
  guard->state = kOnceDone;
  s.clocks_.release(call.thread, guard->clock);
  const Pointer at = call.operation.object;
  Object* const o = atomic_object(s, call.thread, at, 1, true);
  if (o == nullptr) return;
  s.access_atomic(call.thread, *o, at, 1, false, true);
  synchronise_store(s, call.thread, at, 1, MemoryOrder::Release, Sequence::Ends);
  s.before_store(*o, at.bits, at.offset(), 1);
  o->data[at.offset()] = 1;
  s.after_store(*o, at.bits, at.offset(), 1);
  ++call.thread.stores;
}

void abort(SyncCall& call) {
  SyncObject* guard = guard_of(call);
  if (guard == nullptr) return;
  guard->state = 0;
  call.state.clocks_.release(call.thread, guard->clock);
}

}  // namespace

std::span<const VisibleRow> guard_rows() {
  using K = OperationKind;
  static const VisibleRow rows[] = {
      {"__cxa_guard_acquire", K::OnceEnter, 0, -1, false, acquire},
      {"__cxa_guard_release", K::OnceLeave, 0, -1, false, release},
      {"__cxa_guard_abort", K::OnceLeave, 0, -1, false, abort},
  };
  return rows;
}

}  // namespace heddle::machine
