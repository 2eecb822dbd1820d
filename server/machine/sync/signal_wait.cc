// Threads that wait for a signal: sigwait() and its like take it, sigsuspend() and pause() return when its handler has run.
// What another thread sends to one that does not block it may come before pause(): that is an interruption.
#include <cerrno>

#include "server/machine/code/registry.h"
#include "server/machine/sync/signals.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace {

using K = OperationKind;
using models::after;
using models::done_int;
using models::failed;
using models::load;
using models::store;
using namespace signals;

// Takes the next pending signal of the set at argument 0; number 0 if there is none.
bool take_signal(Guest& g, Sent& sent) {
  uint64_t wanted;
  return load(g, g.pointer(0), wanted) && take_next(g, wanted, sent);
}

constexpr const char* kFromOutside = "waits for a signal that only something outside the program would send";

Status sigwait_(Guest& g) {
  Sent sent;
  if (!take_signal(g, sent)) return Status::Faulted;
  if (sent.number == 0) return g.fault(FaultKind::Unsupported, kFromOutside);
  if (!store(g, g.pointer(1), sent.number)) return Status::Faulted;
  return done_int(g, 0);
}

// Until a handler has run. State 1 of the model: what was blocked before.
Status suspend(Guest& g, uint64_t blocked) {
  const Pointer own = own_signals(g);
  if (g.stage() == 0) {
    blocked &= ~kNeverBlocked;
    Sets sets;
    uint64_t common;
    if (!load(g, own, sets) || !load(g, process_signals(g), common)) return Status::Faulted;
    if (((sets.pending | common) & ~blocked) == 0) return g.fault(FaultKind::Unsupported, kFromOutside);
    g.state(1) = sets.blocked;
    if (!store(g, own, blocked)) return Status::Faulted;
  }
  const Status status = deliver(g);
  if (status != Status::Done) return status;
  if (!store(g, own, g.state(1))) return Status::Faulted;
  return failed(g, EINTR);
}

Status sigsuspend_(Guest& g) {
  uint64_t blocked = 0;
  if (g.stage() == 0 && !load(g, g.pointer(0), blocked)) return Status::Faulted;
  return suspend(g, blocked);
}

Status pause_(Guest& g) {
  uint64_t blocked = 0;
  if (g.stage() == 0 && !load(g, own_signals(g), blocked)) return Status::Faulted;
  return suspend(g, blocked);
}

template <bool timed>
Status sigwait_information(Guest& g) {
  Sent sent;
  if (!take_signal(g, sent)) return Status::Faulted;
  if (sent.number == 0) return timed ? failed(g, EAGAIN) : g.fault(FaultKind::Unsupported, kFromOutside);
  if (g.pointer(1).bits != 0 && !(g.fill(g.pointer(1), 0, 128) && write_information(g, g.pointer(1), sent)))
    return Status::Faulted;
  return done_int(g, sent.number);
}

// Sigwait and its like take what they wait for; the others run its handler.
bool suspends(const VisibleRow& row) {
  return row.perform == perform_signal<sigsuspend_> || row.perform == perform_signal<pause_>;
}

// The signals that end the pending wait.
uint64_t awaited(const Machine::State& s, Thread& t, const VisibleRow& row) {
  if (row.perform == perform_signal<pause_>) return ~sets_of(s, t).blocked;
  const CallInfo& info = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)];
  const uint64_t set = s.peek({t.stack[t.fp + info.site->arguments[0].slot]}, 8);
  return suspends(row) ? ~set | kNeverBlocked : set;
}

}  // namespace

uint32_t signal_alternatives(Machine::State& s, Thread& t) {
  if (((sets_of(s, t).pending | process_pending(s)) & awaited(s, t, *s.visible_row(t))) != 0) return 1;
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {  // no thread is left that could send one
    Thread* const other = s.threads_[id];
    if (other == nullptr || other == &t || other->life != Life::Running) continue;
    const VisibleRow* const row = s.visible_row(*other);
    if (row != nullptr && row->object == kSignalObject && row->kind == K::SemaphoreWait) continue;
    if (s.alternatives(*other) != 0) return 0;
  }
  return 1;
}

std::span<const VisibleRow> signal_wait_rows() {
  static const VisibleRow rows[] = {
      {"pause", K::SemaphoreWait, kSignalObject, -1, false, perform_signal<pause_>},
      {"sigsuspend", K::SemaphoreWait, kSignalObject, -1, false, perform_signal<sigsuspend_>},
      {"sigwait", K::SemaphoreWait, kSignalObject, -1, false, perform_signal<sigwait_>},
      {"sigwaitinfo", K::SemaphoreWait, kSignalObject, -1, false, perform_signal<sigwait_information<false>>},
      {"sigtimedwait", K::SemaphoreTimedWait, kSignalObject, -1, false, perform_signal<sigwait_information<true>>},
  };
  return rows;
}

}  // namespace heddle::machine
