// Signals that threads of the program send: to themselves, to the process, or to a thread that waits for them. A
// handler runs in the thread that sends to itself, that no longer blocks what is pending, or that waits in sigsuspend()
// for what it blocked before. interruption.cc has what interrupts another thread. From outside no signal comes.
#include <signal.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "server/machine/sync/signals.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {

using K = OperationKind;
using models::after;
using models::done_int;
using models::failed;
using models::load;
using models::store;
using namespace signals;

uint32_t signal_action_place(int number) {
  return static_cast<uint32_t>(
      is_signal(number) ? offsetof(ProcessSignals, actions) + sizeof(Action) * static_cast<size_t>(number) : 0);
}

namespace signals {

Pointer process_signals(Guest& g) { return g.process_object(kSignalActions.name, kSignalActions.size); }
Pointer action_of(Guest& g, int number) { return after(process_signals(g), signal_action_place(number)); }
Pointer thread_signals(Machine::State& s, Thread& t) {
  return {s.thread_object(t, kThreadSignals, sizeof(ThreadSignals))};
}
Pointer own_signals(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  return thread_signals(call.s, *call.t);
}

Sets sets_of(const Machine::State& s, Thread& t) {
  const auto known = s.thread_objects_.find(kThreadSignals);  // no thread has touched its signals
  if (known == s.thread_objects_.end()) return {};
  const uint64_t at = t.thread_locals[s.image_->program->global_count() + known->second];
  if (at == 0) return {};
  return {s.peek({at}, 8), s.peek({at + 8}, 8)};
}
uint64_t process_pending(const Machine::State& s) {
  const auto known = s.process_objects_.find(std::string_view(kSignalActions.name));
  return known == s.process_objects_.end() ? 0 : s.peek(Pointer::make(known->second, 0), 8);
}

namespace {

constexpr int kFirstQueued = 32;  // real-time signals; two of them are the C library's own

// What waits for a thread, or in the process.
struct Waiting {
  Pointer pending, queue;
};
Waiting waiting_in(Guest& g, Pointer signals) {
  if (signals.bits == process_signals(g).bits) return {signals, g.process_object("heddle.signal_queue", sizeof(Queue))};
  return {after(signals, offsetof(ThreadSignals, pending)), after(signals, offsetof(ThreadSignals, queue))};
}

Pointer entry(Pointer queue, uint64_t n) { return after(queue, offsetof(Queue, sent) + n * sizeof(Sent)); }

// Takes the first one with this number out of the queue.
bool take(Guest& g, const Waiting& place, int number, Sent& sent) {
  uint64_t count, pending, others = 0;
  if (!load(g, place.queue, count) || !load(g, place.pending, pending)) return false;
  uint64_t found = count;
  for (uint64_t n = 0; n < count; ++n) {
    Sent one;
    if (!load(g, entry(place.queue, n), one)) return false;
    if (found < count) {
      if (one.number == number) ++others;
      if (!store(g, entry(place.queue, n - 1), one)) return false;
    } else if (one.number == number) {
      found = n;
      sent = one;
    }
  }
  if (found == count) return store(g, place.pending, pending & ~bit_of(number));
  return store(g, entry(place.queue, count - 1), Sent{}) && store(g, place.queue, count - 1) &&
         (others > 0 || store(g, place.pending, pending & ~bit_of(number)));
}

}  // namespace

bool push(Guest& g, Pointer queue, const Sent& sent) {
  uint64_t count;
  if (!load(g, queue, count)) return false;
  if (count == kSentMost) {
    g.fault(FaultKind::Unsupported, "more than " + std::to_string(kSentMost) + " signals that wait");
    return false;
  }
  return store(g, entry(queue, count), sent) && store(g, queue, count + 1);
}

bool pop(Guest& g, Pointer queue, Sent& sent) {
  uint64_t count;
  if (!load(g, queue, count) || !load(g, entry(queue, count - 1), sent)) return false;
  return store(g, entry(queue, count - 1), Sent{}) && store(g, queue, count - 1);
}

bool add(Guest& g, Pointer signals, const Sent& sent) {
  const Waiting place = waiting_in(g, signals);
  uint64_t pending;
  if (!load(g, place.pending, pending)) return false;
  if (sent.number < kFirstQueued && (pending & bit_of(sent.number)) != 0) return true;
  return push(g, place.queue, sent) && store(g, place.pending, pending | bit_of(sent.number));
}

bool take_next(Guest& g, uint64_t set, Sent& sent) {
  sent = {};
  for (const Pointer signals : {own_signals(g), process_signals(g)}) {
    const Waiting place = waiting_in(g, signals);
    uint64_t pending;
    if (!load(g, place.pending, pending)) return false;
    if ((pending & set) == 0) continue;
    acquire_sent(g);
    return take(g, place, std::countr_zero(pending & set) + 1, sent);
  }
  return true;
}

bool forget(Guest& g, Pointer signals, int number) {
  const Waiting place = waiting_in(g, signals);
  for (;;) {
    uint64_t pending;
    Sent sent;
    if (!load(g, place.pending, pending)) return false;
    if ((pending & bit_of(number)) == 0) return true;
    if (!take(g, place, number, sent)) return false;
  }
}

bool write_information(Guest& g, Pointer to, const Sent& sent) {
  uint8_t bytes[kInformationSize] = {};  // number, error, code; process, user and value begin after 16 bytes
  const int32_t head[3] = {sent.number, 0, sent.code}, sender[2] = {kProcess, kProcess};
  std::memcpy(bytes, head, sizeof head);
  std::memcpy(bytes + 16, sender, sizeof sender);
  std::memcpy(bytes + 24, &sent.value, sizeof sent.value);
  return g.write(to, bytes, sizeof bytes);
}

// The processor's, of the thread's own doing; the others may come from outside.
bool may_come_from_outside(int number) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS:
    case SIGABRT:
    case SIGPIPE: return false;
    default: return true;
  }
}

void note_in(Event& event, int number, uint64_t whom) {
  event.value_written = static_cast<uint64_t>(number);
  event.value_read = whom;
}

void perform(SyncCall& call, Builtin model) {
  if (call.row.kind == K::SemaphorePost) {
    const bool of_thread = call.row.name.starts_with("pthread");
    const bool of_timer = call.row.name.starts_with("heddle.");
    if (!of_timer) note_in(call.event, static_cast<int>(call.argument(1)), of_thread ? call.argument(0) : 0);
  }
  call.pushed = call.state.run_builtin(call.thread, model, &call.info, call.thread.pc) == Status::Call;
  call.failed = call.row.kind == K::SemaphoreTimedWait && call.state.guest_->results[0] == 0xffffffff;
  if (call.failed) time_is_up(call, true);
}

}  // namespace signals

Status signals::killed(Guest& g, int number) {
  const char* const name = sigdescr_np(number);
  return g.fault(FaultKind::Abort,
                 "killed by signal " + std::to_string(number) + (name ? std::string(" (") + name + ")" : ""));
}

namespace {

// What a handler is given of its signal is there again when one that interrupted it has returned.
constexpr uint32_t kInformationAt = 2, kInformationWords = kInformationSize / 8;  // in the model's state
// In the model's state: signals whose handlers have begun, and are interrupted before their first statement.
constexpr uint32_t kInterruptedAt = 6;

bool keep_information(Guest& g) {
  uint64_t words[kInformationWords] = {};
  if (!g.read(after(own_signals(g), offsetof(ThreadSignals, information)), words, kInformationSize)) return false;
  for (uint32_t n = 0; n < kInformationWords; ++n) g.state(kInformationAt + n) = words[n];
  return true;
}

bool give_information_back(Guest& g) {
  uint64_t words[kInformationWords];
  for (uint32_t n = 0; n < kInformationWords; ++n) words[n] = g.state(kInformationAt + n);
  return g.write(after(own_signals(g), offsetof(ThreadSignals, information)), words, kInformationSize);
}

uint64_t blocked_by(int number, const Action& action) {
  return action.mask | ((action.flags & SA_NODEFER) == 0 ? bit_of(number) : 0);
}

// What is blocked while these handlers have begun, and `before` was blocked. False after a fault.
bool block_for(Guest& g, uint64_t begun, uint64_t before, uint64_t& blocked) {
  blocked = before;
  for (; begun != 0; begun &= begun - 1) {
    const int number = std::countr_zero(begun) + 1;
    Action action;
    if (!load(g, action_of(g, number), action)) return false;
    blocked |= blocked_by(number, action);
  }
  return true;
}

struct Blocked {
  uint64_t before, meanwhile;  // without what the handler's action adds
};

Status call_handler(Guest& g, const Sent& sent, Action action, const Blocked& sets) {
  const int number = sent.number;
  const Pointer own = own_signals(g);
  if (!keep_information(g)) return Status::Faulted;
  g.state(0) = sets.before;
  const uint64_t blocked = sets.meanwhile | blocked_by(number, action);
  const uint64_t handler = action.handler;
  auto& own_guest = static_cast<CallGuest&>(g);
  own_guest.handled_signal = number, own_guest.handler = handler;
  if ((action.flags & SA_RESETHAND) != 0) action.handler = 0;
  if (!store(g, own, blocked) || !store(g, action_of(g, number), action)) return Status::Faulted;
  if ((action.flags & SA_SIGINFO) == 0) {
    const uint64_t arguments[1] = {static_cast<uint64_t>(number)};
    return g.call(Pointer{handler}, arguments);
  }
  const Pointer information = after(own, offsetof(ThreadSignals, information));
  if (!write_information(g, information, sent)) return Status::Faulted;
  const uint64_t arguments[3] = {static_cast<uint64_t>(number), information.bits,
                                 after(own, offsetof(ThreadSignals, context)).bits};
  return g.call(Pointer{handler}, arguments);
}

}  // namespace

namespace signals {

void note_sent(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  call.s.clocks_.release(*call.t, call.s.sync_object(process_signals(g), SyncKind::Semaphore).clock);
}

void acquire_sent(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  call.s.clocks_.acquire(*call.t, call.s.sync_object(process_signals(g), SyncKind::Semaphore).clock);
}

Status deliver(Guest& g) {
  const Pointer own = own_signals(g);
  uint64_t& interrupted = g.state(kInterruptedAt);
  if (g.stage() > 0 && (!store(g, own, g.state(0)) || !give_information_back(g))) return Status::Faulted;
  Sets sets;
  uint64_t blocked;
  if (!load(g, own, sets) || !block_for(g, interrupted, sets.blocked, blocked)) return Status::Faulted;
  const Pointer begun = after(own, offsetof(ThreadSignals, begun));
  for (;;) {
    Sent sent;
    if (!take_next(g, ~blocked, sent)) return Status::Faulted;
    if (sent.number == 0) break;
    Action action;
    if (!load(g, action_of(g, sent.number), action)) return Status::Faulted;
    if (action.handler == 0 && !harmless(sent.number)) return killed(g, sent.number);
    if (action.handler <= 1) continue;
    if ((interrupted & bit_of(sent.number)) != 0)
      return g.fault(FaultKind::Unsupported, "a handler that interrupts itself before its first statement");
    if (!push(g, begun, sent)) return Status::Faulted;
    interrupted |= bit_of(sent.number);
    blocked |= blocked_by(sent.number, action);
  }
  if (interrupted == 0) return done_int(g, 0);
  Sent sent;
  if (!pop(g, begun, sent)) return Status::Faulted;
  interrupted &= ~bit_of(sent.number);
  Action action;
  if (!block_for(g, interrupted, sets.blocked, blocked) || !load(g, action_of(g, sent.number), action))
    return Status::Faulted;
  if (!has_handler(action))
    return g.fault(FaultKind::Unsupported, "a handler that is taken away while another one interrupts it");
  return call_handler(g, sent, action, {sets.blocked, blocked});
}

}  // namespace signals

namespace {

Status send_to_itself(Guest& g, const Sent& sent) {
  if (g.stage() == 0 && !add(g, own_signals(g), sent)) return Status::Faulted;
  return deliver(g);
}

bool ignored(Guest& g, int number) {
  Action action;
  return load(g, action_of(g, number), action) && (action.handler == 1 || (action.handler == 0 && harmless(number)));
}

// The analyses do not follow addresses from here to a handler.
bool is_address(Guest& g, uint64_t value) {
  return value >> 32 != 0 && static_cast<CallGuest&>(g).s.memory_.find(value)->kind != ObjectKindHost::None;
}
constexpr const char* kSendsAddress = "an address that is sent with a signal";

}  // namespace

Status signals::raise_(Guest& g) {
  const int number = g.int_argument(0);
  if (!is_signal(number)) return failed(g, EINVAL);
  return send_to_itself(g, {number, SI_TKILL, 0});
}

namespace {

// As Linux does: main, if it does not block the signal, else the calling thread, else any other. One that is at its end
// only if there is no other. Null: all block it.
Thread* receiver(CallGuest& g, int number) {
  std::vector<Thread*> all{g.s.threads_[0], g.t};
  for (uint32_t id = 1; id < g.s.threads_.limit(); ++id) all.push_back(g.s.threads_[id]);
  std::erase_if(all, [&](Thread* t) {
    return t == nullptr || t->life != Life::Running || (sets_of(g.s, *t).blocked & bit_of(number)) != 0;
  });
  const auto stays = std::find_if(all.begin(), all.end(), [](Thread* t) { return t->phase != Phase::ThreadExit; });
  return stays != all.end() ? *stays : all.empty() ? nullptr : all.front();
}

}  // namespace

Status signals::send_to_process(Guest& g, const Sent& sent) {
  auto& call = static_cast<CallGuest&>(g);
  if (is_address(g, sent.value)) return g.fault(FaultKind::Unsupported, kSendsAddress);
  if (Thread* const thread = receiver(call, sent.number))
    return thread == call.t ? send_to_itself(g, sent) : interrupt(g, *thread, sent);
  if (!add(g, process_signals(g), sent)) return Status::Faulted;
  note_sent(g);
  return done_int(g, 0);
}

namespace {

template <int code>
Status kill_(Guest& g) {
  const int32_t process = g.int_argument(0), number = g.int_argument(1);
  const Sent sent{number, code, code == SI_QUEUE ? g.argument(2) : 0};
  if (g.stage() > 0) return deliver(g);
  if (number != 0 && !is_signal(number)) return failed(g, EINVAL);
  if (process != kProcess && process != 0) return failed(g, ESRCH);
  if (number == 0 || ignored(g, number)) return done_int(g, 0);
  return send_to_process(g, sent);
}

// pthread_kill(thread, signal), pthread_sigqueue(thread, signal, value)
template <int code>
Status thread_kill(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  const uint64_t handle = g.argument(0);
  const int32_t number = g.int_argument(1);
  const Sent sent{number, code, code == SI_QUEUE ? g.argument(2) : 0};
  if (g.stage() > 0) return deliver(g);
  Thread* const other = handle == 0 || handle > call.s.threads_.limit() ? nullptr : call.s.threads_[handle - 1];
  if (other == nullptr || other->life == Life::None)
    return g.fault(FaultKind::ThreadMisuse, "sends a signal to a handle that is no thread");
  if (const std::string over = end_of_life(*other); !over.empty())
    return g.fault(FaultKind::ThreadMisuse, "sends a signal to " + call.s.thread_name(other->id) + over);
  if (number != 0 && !is_signal(number)) return done_int(g, EINVAL);
  if (number == 0 || other->life == Life::Ended || ignored(g, number)) return done_int(g, 0);
  if (is_address(g, sent.value)) return g.fault(FaultKind::Unsupported, kSendsAddress);
  if (other == call.t) return send_to_itself(g, sent);
  if ((sets_of(call.s, *other).blocked & bit_of(number)) == 0) return interrupt(g, *other, sent);
  call.s.touch_running(*other);
  if (!add(g, thread_signals(call.s, *other), sent)) return Status::Faulted;
  note_sent(g);
  return done_int(g, 0);
}

Status change_mask(Guest& g) {  // sigprocmask, pthread_sigmask: how, set, old set
  if (g.stage() > 0) return deliver(g);
  const Pointer own = own_signals(g);
  uint64_t blocked, set;
  if (!load(g, own, blocked)) return Status::Faulted;
  if (g.pointer(1).bits != 0 && !load(g, g.pointer(1), set)) return Status::Faulted;
  if (g.pointer(2).bits != 0 && !(g.fill(g.pointer(2), 0, kSetSize) && store(g, g.pointer(2), blocked)))
    return Status::Faulted;
  if (g.pointer(1).bits == 0) return done_int(g, 0);
  switch (g.int_argument(0)) {
    case SIG_BLOCK: blocked |= set; break;
    case SIG_UNBLOCK: blocked &= ~set; break;
    case SIG_SETMASK: blocked = set; break;
    default: return failed(g, EINVAL);
  }
  blocked &= ~kNeverBlocked;
  if (!store(g, own, blocked)) return Status::Faulted;
  return deliver(g);
}

Status sigpending_(Guest& g) {
  Sets sets;
  uint64_t common;
  if (!load(g, own_signals(g), sets) || !load(g, process_signals(g), common)) return Status::Faulted;
  if (!g.fill(g.pointer(0), 0, kSetSize) || !store(g, g.pointer(0), sets.pending | common)) return Status::Faulted;
  return done_int(g, 0);
}

}  // namespace

std::vector<program::FunctionId> Machine::signal_handlers() const {
  std::vector<program::FunctionId> handlers;
  const auto known = state_->process_objects_.find(std::string_view(kSignalActions.name));
  if (known == state_->process_objects_.end()) return handlers;
  for (int number = 1; number <= kSignals; ++number) {
    Callee callee;
    const uint64_t handler = state_->peek(Pointer::make(known->second, signal_action_place(number)), 8);
    if (handler > 1 && may_come_from_outside(number) && state_->image_->callee_of(handler, callee) &&
        callee.kind == Callee::Kind::Function)
      handlers.emplace_back(callee.index);
  }
  return handlers;
}

void inherit_signal_mask(Machine::State& s, Thread& parent, Thread& child) {
  const uint64_t blocked = sets_of(s, parent).blocked;
  if (blocked != 0) s.write(child, thread_signals(s, child), &blocked, 8);
}

std::span<const VisibleRow> signal_rows() {
  static const VisibleRow rows[] = {
      {"kill", K::SemaphorePost, kSignalObject, -1, false, perform_signal<kill_<SI_USER>>},
      {"sigqueue", K::SemaphorePost, kSignalObject, -1, false, perform_signal<kill_<SI_QUEUE>>},
      {"pthread_kill", K::SemaphorePost, kSignalObject, -1, false, perform_signal<thread_kill<SI_TKILL>>},
      {"pthread_sigqueue", K::SemaphorePost, kSignalObject, -1, false, perform_signal<thread_kill<SI_QUEUE>>},
      {"sigprocmask", K::SemaphoreRead, kSignalObject, -1, false, perform_signal<change_mask>},
      {"pthread_sigmask", K::SemaphoreRead, kSignalObject, -1, false, perform_signal<change_mask>},
      {"sigpending", K::SemaphoreRead, kSignalObject, -1, false, perform_signal<sigpending_>},
  };
  return rows;
}

}  // namespace heddle::machine
