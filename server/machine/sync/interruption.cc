// Signals that interrupt another thread. The sender's operation depends on each operation of that thread, so every place
// is explored. The handler runs before the next operation, or a few later; at once if the thread waits. It runs on top of
// what the thread was about to do.
#include <cerrno>
#include <ctime>

#include "server/library/modules.h"
#include "server/machine/library/model.h"
#include "server/machine/sync/signals.h"

namespace heddle::machine {
namespace {

using models::done_int;
using models::failed;
using models::load;
using models::store;
using namespace signals;

constexpr uint8_t kDeferralsMost = 2;  // in a row

constexpr uint32_t kHow = 7;  // in the model's state: Interrupted, and Ends << 8

// What a handler interrupts.
enum Interrupted : uint64_t { kOperation, kConditionWait, kThreadEnd, kCall };  // kCall: one that ends by it
// How such a call ends.
enum class Ends : uint64_t { Sleep, ThreadSleep, PreciseSleep, ClockSleep, WithError };

bool is_pause(const VisibleRow& row) { return row.name == "pause" || row.name == "sigsuspend"; }
// What every handler ends, whatever its flags say.
bool ends_by_signal(const VisibleRow& row) {
  return row.kind == OperationKind::Sleep || is_pause(row) || row.name == "sigwaitinfo" || row.name == "sigtimedwait";
}
bool waits_for_post(Machine::State& s, const Thread& t, const VisibleRow& row) {
  if (row.object < 0) return false;
  if (row.kind != OperationKind::SemaphoreWait && row.kind != OperationKind::SemaphoreTimedWait) return false;
  const CallInfo& info = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)];
  const auto argument = static_cast<size_t>(row.object);
  const SyncObject* const semaphore = s.find_sync({t.stack[t.fp + info.site->arguments[argument].slot]});
  return semaphore != nullptr && semaphore->kind == SyncKind::Semaphore && semaphore->count == 0;
}

// Of the signals that wait for the thread: does the call continue after each handler?
bool all_restart(Machine::State& s, Thread& t) {
  const Sets sets = sets_of(s, t);
  for (uint64_t left = sets.pending & ~sets.blocked; left != 0; left &= left - 1) {
    const int number = std::countr_zero(left) + 1;
    const Pointer flags = Pointer::make(s.process_object(kSignalActions.name, kSignalActions.size),
                                        signal_action_place(number) + offsetof(Action, flags));
    if ((s.peek(flags, 4) & SA_RESTART) == 0) return false;
  }
  return true;
}

// Could the thread stand within the call that it is about to make, so that the signal ends it?
bool may_stand_within(Machine::State& s, Thread& t) {
  if (t.phase != Phase::Normal) return false;
  const VisibleRow* const row = s.visible_row(t);
  if (row == nullptr) return false;
  return ends_by_signal(*row) || (waits_for_post(s, t, *row) && !all_restart(s, t));
}

bool takes_signal(const Machine::State& s, Thread& t) {
  if (t.life != Life::Running || t.defers_signal) return false;
  if (t.phase != Phase::Normal && t.phase != Phase::Wake && t.phase != Phase::ThreadExit) return false;
  if (t.pending.kind == OperationKind::DataChoice) return false;  // a part of an instruction
  const Sets sets = sets_of(s, t);
  return (sets.pending & ~sets.blocked) != 0;
}

// What has come too late.
bool forget_signals(Machine::State& s, Thread& t) {
  const uint64_t none = 0;
  return s.write(t, {thread_signals(s, t).bits + offsetof(ThreadSignals, pending)}, &none, sizeof none);
}

// How the call ends that a handler has interrupted. What is left of a sleep is all of it.
Status shortened(CallGuest& g, Ends how) {
  const bool by_clock = how == Ends::ClockSleep;
  const Pointer wanted = g.pointer(by_clock ? 2 : 0), left = g.pointer(by_clock ? 3 : 1);
  switch (how) {
    case Ends::Sleep: return done_int(g, g.int_argument(0));
    case Ends::ThreadSleep:
    case Ends::PreciseSleep:
    case Ends::ClockSleep: {
      timespec time;
      const bool absolute = by_clock && g.int_argument(1) != 0;
      if (left.bits != 0 && !absolute && !(load(g, wanted, time) && store(g, left, time))) return Status::Faulted;
      if (by_clock) return done_int(g, EINTR);
      return how == Ends::ThreadSleep ? done_int(g, -1) : failed(g, EINTR);
    }
    default: return failed(g, EINTR);
  }
}

Ends end_of(std::string_view name) {
  if (name == "sleep") return Ends::Sleep;
  if (name == "thrd_sleep") return Ends::ThreadSleep;
  if (name == "nanosleep") return Ends::PreciseSleep;
  return name == "clock_nanosleep" ? Ends::ClockSleep : Ends::WithError;
}

}  // namespace

Status interruption_model(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const Status status = deliver(g);
  if (status != Status::Done) return status;
  const uint64_t how = g.state(kHow);
  switch (how & 0xff) {
    case kConditionWait:
      g.t->handler_in_wait = false;
      g.t->phase = Phase::Wake;
      break;
    case kThreadEnd: g.t->phase = Phase::ThreadExit; break;
    case kCall: return shortened(g, static_cast<Ends>(how >> 8));
    default: break;
  }
  return Status::Done;
}

// The frame is the innermost one, and its model interruption_model.
bool ends_interrupted_call(const Thread& t) { return (t.stack[t.fp + kModelState + kHow] & 0xff) == kCall; }

void Machine::State::describe_interruption(Thread& t) {
  Operation& op = t.pending;
  op.interruptible = true;
  if (!takes_signal(*this, t)) return;
  const Operation before = op;
  op = {};
  op.kind = OperationKind::TakeSignal;
  op.thread = before.thread;
  op.section = before.section;
  op.at = before.at;
  op.interruptible = true;
}

// Could what the thread is about to do come first? Not again and again, and no call of the system: the signal would come
// there at the latest.
bool Machine::State::may_defer(Thread& t) {
  if (t.deferrals == kDeferralsMost || t.phase == Phase::ThreadExit) return false;
  const Operation taken = t.pending;
  describe_next(t);
  const VisibleRow* const row = visible_row(t);
  const bool calls_system = (row != nullptr && row->object == kSignalObject) ||
                            t.pending.kind == OperationKind::Sleep ||
                            family_of(t.pending.kind) == OperationFamily::Thread;
  const bool possible = !calls_system && alternatives(t) != 0;
  t.pending = taken;
  return possible;
}

// At a thread's end: in time; too late. Elsewhere: before the call that the thread is about to make; within it, if it
// may stand there; later.
uint32_t Machine::State::interruption_alternatives(Thread& t) {
  if (t.phase == Phase::ThreadExit) return 2;
  return 1 + (may_stand_within(*this, t) ? 1 : 0) + (may_defer(t) ? 1 : 0);
}

// False: what the thread was about to do does that itself, as pause() does.
bool Machine::State::take_signal(Thread& t, Event& event) {
  const uint32_t alternative = event.alternative;
  if (t.phase == Phase::ThreadExit && alternative != 0) return forget_signals(*this, t);
  const bool within = alternative == 1 && may_stand_within(*this, t);
  if (alternative != 0 && !within) {
    t.defers_signal = true;
    signals_wait_ |= ++t.deferrals == kDeferralsMost;
    note_in(event, 0, 1);  // not yet
    return true;
  }
  t.deferrals = 0;
  if (within && is_pause(*visible_row(t))) return false;
  CallGuest& guest = *guest_;
  guest.begin(t, interruption_model, within ? &image_->calls[static_cast<size_t>(image_->code[t.pc].imm)] : nullptr,
              t.fp);
  guest.state(kHow) = within                         ? kCall | static_cast<uint64_t>(end_of(visible_row(t)->name)) << 8
                      : t.phase == Phase::Wake       ? kConditionWait
                      : t.phase == Phase::ThreadExit ? kThreadEnd
                                                     : kOperation;
  const Phase before = t.phase;
  t.handler_in_wait = before == Phase::Wake;
  t.phase = Phase::Normal;
  const Status status = interruption_model(guest);
  if (status == Status::Call) note_in(event, guest.handled_signal, guest.handler);
  if (status == Status::Faulted) {  // it stands where it stood
    t.phase = before;
    t.handler_in_wait = false;
  }
  return true;  // without a handler it is over at once, and nothing was interrupted
}

namespace {

// In guest text that waits for descriptors and messages, which would end the wait with an error.
bool waits_for_descriptor(const Machine::State& s, const Thread& t) {
  if (t.phase != Phase::Wake && t.pending.kind != OperationKind::Sleep) return false;
  const program::CodeAddress at = t.pending.at;
  if (!at.function.valid() || s.image_->program->function(at.function).in_project) return false;
  return library::serves_descriptors(s.image_->program->file_of(at));
}

}  // namespace

namespace signals {

Status interrupt(Guest& g, Thread& other, const Sent& sent) {
  auto& call = static_cast<CallGuest&>(g);
  switch (other.phase) {
    case Phase::BarrierLeave:
    case Phase::FutexReturn:
    case Phase::WriterWait:
      return g.fault(FaultKind::Unsupported, "a signal that interrupts " + call.s.thread_name(other.id) +
                                                 " in a wait that Heddle does not interrupt");
    case Phase::ProcessExit: return done_int(g, 0);
    default:
      if (waits_for_descriptor(call.s, other))
        return g.fault(FaultKind::Unsupported, "a signal that interrupts " + call.s.thread_name(other.id) +
                                                   " in a wait for a descriptor or a message");
  }
  call.s.touch_running(other);
  if (!add(g, thread_signals(call.s, other), sent)) return Status::Faulted;
  note_sent(g);
  call.s.describe(other);
  return done_int(g, 0);
}

}  // namespace signals
}  // namespace heddle::machine
