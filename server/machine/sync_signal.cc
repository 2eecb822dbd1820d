// Signals that threads of the program send: to themselves, to the process, or to a thread that waits for them. A
// handler runs in the thread that sends to itself, or that no longer blocks what is pending. A signal that would
// interrupt another thread ends the path: nothing is known about where. From outside no signal comes.
#include <signal.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "server/machine/library_support.h"
#include "server/machine/model.h"
#include "server/machine/registry.h"
#include "server/machine/state.h"
#include "server/machine/sync_codes.h"
#include "server/machine/sync_time.h"

namespace heddle::machine {
namespace {

using K = OperationKind;
using models::after;
using models::done;
using models::done_int;
using models::failed;
using models::load;
using models::store;

constexpr int kSignals = 64;
constexpr uint32_t kSetSize = 128;  // sigset_t; bit n-1 of its first 8 bytes for signal n
constexpr const char* kThreadSignals = "heddle.thread_signals";

struct Action {
  uint64_t handler = 0, mask = 0;
  uint32_t flags = 0, unused = 0;
};
struct ProcessSignals {
  uint64_t pending = 0;
  Action actions[kSignals + 1];
};
static_assert(sizeof(ProcessSignals) == kSignalActions.size);
struct ThreadSignals {
  uint64_t blocked = 0, pending = 0;
  uint8_t information[128] = {};                        // siginfo_t
  uint8_t context[968] = {};                            // ucontext_t: not filled
  uint64_t stack = 0, stack_flags = 0, stack_size = 0;  // of sigaltstack; handlers run on the thread's own
};
constexpr uint64_t kSignalStackLeast = 2048;
struct GlibcAction {  // what sigaction takes and gives
  uint64_t handler;
  uint8_t mask[kSetSize];
  int32_t flags;
  uint32_t unused;
  uint64_t restorer;
};
static_assert(sizeof(GlibcAction) == 152);

constexpr uint64_t bit_of(int number) { return uint64_t{1} << (number - 1); }
bool is_signal(int number) { return number > 0 && number <= kSignals; }
bool cannot_be_caught(int number) { return number == SIGKILL || number == SIGSTOP; }

}  // namespace

uint32_t signal_action_place(int number) {
  return static_cast<uint32_t>(
      is_signal(number) ? offsetof(ProcessSignals, actions) + sizeof(Action) * static_cast<size_t>(number) : 0);
}

namespace {

Pointer process_signals(Guest& g) { return g.process_object(kSignalActions.name, kSignalActions.size); }
Pointer action_of(Guest& g, int number) { return after(process_signals(g), signal_action_place(number)); }
Pointer thread_signals(Machine::State& s, Thread& t) {
  return {s.thread_object(t, kThreadSignals, sizeof(ThreadSignals))};
}
Pointer own_signals(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  return thread_signals(call.s, *call.t);
}

struct Sets {
  uint64_t blocked = 0, pending = 0;
};
static_assert(offsetof(ThreadSignals, pending) == 8);

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

// What ends by its default action, and what is ignored.
bool harmless(int number) { return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH; }
Status killed(Guest& g, int number) {
  const char* const name = sigdescr_np(number);
  return g.fault(FaultKind::Abort,
                 "killed by signal " + std::to_string(number) + (name ? std::string(" (") + name + ")" : ""));
}

Status call_handler(Guest& g, int number, Action action, const Sets& sets) {
  const Pointer own = own_signals(g);
  g.state(0) = sets.blocked;
  uint64_t blocked = sets.blocked | action.mask;
  if ((action.flags & SA_NODEFER) == 0) blocked |= bit_of(number);
  const uint64_t handler = action.handler;
  if ((action.flags & SA_RESETHAND) != 0) action.handler = 0;
  if (!store(g, own, blocked) || !store(g, action_of(g, number), action)) return Status::Faulted;
  if ((action.flags & SA_SIGINFO) == 0) {
    const uint64_t arguments[1] = {static_cast<uint64_t>(number)};
    return g.call(Pointer{handler}, arguments);
  }
  const Pointer information = after(own, offsetof(ThreadSignals, information));
  const int32_t words[5] = {number, 0, SI_TKILL, 0, kProcess};
  if (!g.write(information, words, sizeof words)) return Status::Faulted;
  const uint64_t arguments[3] = {static_cast<uint64_t>(number), information.bits,
                                 after(own, offsetof(ThreadSignals, context)).bits};
  return g.call(Pointer{handler}, arguments);
}

// Runs the handlers of everything that is pending and not blocked, lowest number first; then the result is 0. State 0
// of the model: what was blocked before the handler that runs.
Status deliver(Guest& g) {
  const Pointer own = own_signals(g), process = process_signals(g);
  if (g.stage() > 0 && !store(g, own, g.state(0))) return Status::Faulted;
  for (;;) {
    Sets sets;
    uint64_t common;
    if (!load(g, own, sets) || !load(g, process, common)) return Status::Faulted;
    const uint64_t ready = (sets.pending | common) & ~sets.blocked;
    if (ready == 0) return done_int(g, 0);
    const int number = std::countr_zero(ready) + 1;
    Action action;
    if (!store(g, after(own, 8), sets.pending & ~bit_of(number)) || !store(g, process, common & ~bit_of(number)) ||
        !load(g, action_of(g, number), action))
      return Status::Faulted;
    if (action.handler > 1) return call_handler(g, number, action, sets);
    if (action.handler == 0 && !harmless(number)) return killed(g, number);
  }
}

Status send_to_itself(Guest& g, int number) {
  if (g.stage() > 0) return deliver(g);
  uint64_t pending;
  const Pointer at = after(own_signals(g), 8);
  if (!load(g, at, pending) || !store(g, at, pending | bit_of(number))) return Status::Faulted;
  return deliver(g);
}

bool ignored(Guest& g, int number) {
  Action action;
  return load(g, action_of(g, number), action) && (action.handler == 1 || (action.handler == 0 && harmless(number)));
}

void note_sent(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  call.s.clocks_.release(*call.t, call.s.sync_object(process_signals(g), SyncKind::Semaphore).clock);
}

Status interrupts(Guest& g, const Thread& other) {
  return g.fault(FaultKind::Unsupported, "a signal that interrupts another thread (" +
                                             static_cast<CallGuest&>(g).s.thread_name(other.id) + ")");
}

Status raise_(Guest& g) {
  const int number = g.int_argument(0);
  if (!is_signal(number)) return failed(g, EINVAL);
  return send_to_itself(g, number);
}

// kill: to a thread that does not block it, the calling one first; if all block it, it waits in the process.
Status kill_(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  const int32_t process = g.int_argument(0), number = g.int_argument(1);
  if (g.stage() > 0) return deliver(g);
  if (number != 0 && !is_signal(number)) return failed(g, EINVAL);
  if (process != kProcess && process != 0) return failed(g, ESRCH);
  if (number == 0 || ignored(g, number)) return done_int(g, 0);
  if ((sets_of(call.s, *call.t).blocked & bit_of(number)) == 0) return send_to_itself(g, number);
  for (uint32_t id = 0; id < call.s.threads_.limit(); ++id) {
    Thread* const other = call.s.threads_[id];
    if (other != nullptr && other->life == Life::Running && (sets_of(call.s, *other).blocked & bit_of(number)) == 0)
      return interrupts(g, *other);
  }
  uint64_t pending;
  if (!load(g, process_signals(g), pending) || !store(g, process_signals(g), pending | bit_of(number)))
    return Status::Faulted;
  note_sent(g);
  return done_int(g, 0);
}

// pthread_kill(thread, signal)
Status thread_kill(Guest& g) {
  auto& call = static_cast<CallGuest&>(g);
  const uint64_t handle = g.argument(0);
  const int32_t number = g.int_argument(1);
  if (g.stage() > 0) return deliver(g);
  Thread* const other = handle == 0 || handle > call.s.threads_.limit() ? nullptr : call.s.threads_[handle - 1];
  if (other == nullptr || other->life == Life::None)
    return g.fault(FaultKind::ThreadMisuse, "sends a signal to a handle that is no thread");
  if (other->joined)
    return g.fault(FaultKind::ThreadMisuse,
                   "sends a signal to " + call.s.thread_name(other->id) + ", which was joined before");
  if (number != 0 && !is_signal(number)) return done_int(g, EINVAL);
  if (number == 0 || other->life == Life::Ended || ignored(g, number)) return done_int(g, 0);
  if (other == call.t) return send_to_itself(g, number);
  const Sets sets = sets_of(call.s, *other);
  if ((sets.blocked & bit_of(number)) == 0) return interrupts(g, *other);
  if (!store(g, after(thread_signals(call.s, *other), 8), sets.pending | bit_of(number))) return Status::Faulted;
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
  blocked &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
  if (!store(g, own, blocked)) return Status::Faulted;
  return deliver(g);
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

bool has_handler(const Action& action) { return action.handler > 1; }

Pointer alarm_time(Guest& g) { return g.process_object("heddle.alarm", 8); }

constexpr const char* kAlarm = "a signal that alarm() sends when its time is up";

// False after a fault.
bool install(Guest& g, int number, const Action& action) {
  if (has_handler(action) && may_come_from_outside(number)) static_cast<CallGuest&>(g).s.handles_signals_ = true;
  if (has_handler(action) && number == SIGALRM) {
    uint64_t seconds;
    if (!load(g, alarm_time(g), seconds)) return false;
    if (seconds != 0) {
      g.fault(FaultKind::Unsupported, kAlarm);
      return false;
    }
  }
  return store(g, action_of(g, number), action);
}

// Without a handler its signal ends the process: a watchdog, whose time is taken not to be up.
Status alarm_(Guest& g) {
  const uint64_t seconds = static_cast<uint32_t>(g.argument(0));
  uint64_t before;
  Action action;
  if (!load(g, alarm_time(g), before) || !load(g, action_of(g, SIGALRM), action)) return Status::Faulted;
  if (seconds != 0 && has_handler(action)) return g.fault(FaultKind::Unsupported, kAlarm);
  if (!store(g, alarm_time(g), seconds)) return Status::Faulted;
  return done(g, before);
}

Status signal_(Guest& g, uint32_t flags) {
  const int number = g.int_argument(0);
  if (!is_signal(number) || cannot_be_caught(number)) return models::failed_long(g, EINVAL, -1);
  Action action;
  if (!load(g, action_of(g, number), action)) return Status::Faulted;
  const uint64_t old = action.handler;
  action = {g.argument(1), 0, flags, 0};
  if (!install(g, number, action)) return Status::Faulted;
  return done(g, old);
}
Status bsd_signal_(Guest& g) { return signal_(g, SA_RESTART); }
Status system_v_signal(Guest& g) { return signal_(g, SA_RESETHAND | SA_NODEFER); }

Status sigaction_(Guest& g) {
  const int number = g.int_argument(0);
  if (!is_signal(number)) return failed(g, EINVAL);
  Action old;
  if (!load(g, action_of(g, number), old)) return Status::Faulted;
  if (g.pointer(1).bits != 0) {
    if (cannot_be_caught(number)) return failed(g, EINVAL);
    Action action;
    int32_t flags;
    if (!load(g, g.pointer(1), action.handler) || !load(g, after(g.pointer(1), 8), action.mask) ||
        !load(g, after(g.pointer(1), offsetof(GlibcAction, flags)), flags))
      return Status::Faulted;
    action.flags = static_cast<uint32_t>(flags);
    if (!install(g, number, action)) return Status::Faulted;
  }
  if (g.pointer(2).bits == 0) return done_int(g, 0);
  GlibcAction out = {};
  out.handler = old.handler;
  std::memcpy(out.mask, &old.mask, 8);
  out.flags = static_cast<int32_t>(old.flags);
  if (!store(g, g.pointer(2), out)) return Status::Faulted;
  return done_int(g, 0);
}

Status sigaltstack_(Guest& g) {
  const Pointer own = after(own_signals(g), offsetof(ThreadSignals, stack));
  uint64_t old[3];
  for (int n = 0; n < 3; ++n)
    if (!load(g, after(own, 8 * static_cast<uint64_t>(n)), old[n])) return Status::Faulted;
  if (g.pointer(0).bits != 0) {
    uint64_t given[3];
    int32_t flags;
    if (!load(g, g.pointer(0), given[0]) || !load(g, after(g.pointer(0), 8), flags) ||
        !load(g, after(g.pointer(0), 16), given[2]))
      return Status::Faulted;
    if ((flags & ~SS_DISABLE) != 0) return failed(g, EINVAL);
    if (flags == 0 && given[2] < kSignalStackLeast) return failed(g, ENOMEM);
    given[1] = static_cast<uint64_t>(flags);
    for (int n = 0; n < 3; ++n)
      if (!store(g, after(own, 8 * static_cast<uint64_t>(n)), given[n])) return Status::Faulted;
  }
  if (g.pointer(1).bits == 0) return done_int(g, 0);
  const int32_t flags = old[2] == 0 ? SS_DISABLE : static_cast<int32_t>(old[1]);
  if (!store(g, g.pointer(1), old[0]) || !store(g, after(g.pointer(1), 8), flags) ||
      !store(g, after(g.pointer(1), 16), old[2]))
    return Status::Faulted;
  return done_int(g, 0);
}

Status abort_(Guest& g) {
  Action action;
  if (g.stage() == 0) {
    if (!load(g, action_of(g, SIGABRT), action)) return Status::Faulted;
    const uint64_t arguments[1] = {SIGABRT};
    if (action.handler > 1) return g.call(Pointer{action.handler}, arguments);
  }
  return g.fault(FaultKind::Abort, "abort() called");
}

Status fill_set(Guest& g, uint8_t byte) {
  if (!g.fill(g.pointer(0), byte, kSetSize)) return Status::Faulted;
  return done_int(g, 0);
}
Status sigemptyset_(Guest& g) { return fill_set(g, 0); }
Status sigfillset_(Guest& g) { return fill_set(g, 0xff); }
template <int change>  // 1: add, -1: remove, 0: ask
Status sigset_member(Guest& g) {
  const int number = g.int_argument(1);
  if (!is_signal(number)) return failed(g, EINVAL);
  uint64_t bits;
  if (!load(g, g.pointer(0), bits)) return Status::Faulted;
  if (change == 0) return done_int(g, (bits & bit_of(number)) != 0);
  if (!store(g, g.pointer(0), change > 0 ? bits | bit_of(number) : bits & ~bit_of(number))) return Status::Faulted;
  return done_int(g, 0);
}

Status sigpending_(Guest& g) {
  Sets sets;
  uint64_t common;
  if (!load(g, own_signals(g), sets) || !load(g, process_signals(g), common)) return Status::Faulted;
  if (!g.fill(g.pointer(0), 0, kSetSize) || !store(g, g.pointer(0), sets.pending | common)) return Status::Faulted;
  return done_int(g, 0);
}

// Takes the lowest pending signal of the set at argument 0; 0 if there is none.
bool take_signal(Guest& g, int& number) {
  auto& call = static_cast<CallGuest&>(g);
  Sets sets;
  uint64_t common, wanted;
  const Pointer own = own_signals(g), process = process_signals(g);
  if (!load(g, own, sets) || !load(g, process, common) || !load(g, g.pointer(0), wanted)) return false;
  const uint64_t ready = (sets.pending | common) & wanted;
  number = ready == 0 ? 0 : std::countr_zero(ready) + 1;
  if (number == 0) return true;
  const uint64_t bit = bit_of(number);
  call.s.clocks_.acquire(*call.t, call.s.sync_object(process, SyncKind::Semaphore).clock);
  if ((sets.pending & bit) != 0) return store(g, after(own, 8), sets.pending & ~bit);
  return store(g, process, common & ~bit);
}

constexpr const char* kFromOutside = "waits for a signal that only something outside the program would send";

Status sigwait_(Guest& g) {
  int32_t number;
  if (!take_signal(g, number)) return Status::Faulted;
  if (number == 0) return g.fault(FaultKind::Unsupported, kFromOutside);
  if (!store(g, g.pointer(1), number)) return Status::Faulted;
  return done_int(g, 0);
}

Status pause_(Guest& g) { return g.fault(FaultKind::Unsupported, kFromOutside); }

template <bool timed>
Status sigwait_information(Guest& g) {
  int32_t number;
  if (!take_signal(g, number)) return Status::Faulted;
  if (number == 0) return timed ? failed(g, EAGAIN) : g.fault(FaultKind::Unsupported, kFromOutside);
  const int32_t words[5] = {number, 0, SI_TKILL, 0, kProcess};
  if (g.pointer(1).bits != 0 && !(g.fill(g.pointer(1), 0, 128) && g.write(g.pointer(1), words, sizeof words)))
    return Status::Faulted;
  return done_int(g, number);
}

template <Builtin model>
void perform_signal(SyncCall& call) {
  const uint64_t stores = call.thread.stores;
  call.pushed = call.state.run_builtin(call.thread, model, &call.info, call.thread.pc) == Status::Call;
  call.failed = call.row.kind == K::SemaphoreTimedWait && call.thread.stores == stores;
  if (call.failed) time_is_up(call, true);
}

}  // namespace

uint32_t signal_alternatives(Machine::State& s, Thread& t) {
  const CallInfo& info = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)];
  const uint64_t wanted = s.peek({t.stack[t.fp + info.site->arguments[0].slot]}, 8);
  if (((sets_of(s, t).pending | process_pending(s)) & wanted) != 0) return 1;
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {  // no thread is left that could send one
    Thread* const other = s.threads_[id];
    if (other == nullptr || other == &t || other->life != Life::Running) continue;
    const VisibleRow* const row = s.visible_row(*other);
    if (row != nullptr && row->object == kSignalObject && row->kind == K::SemaphoreWait) continue;
    if (s.alternatives(*other) != 0) return 0;
  }
  return 1;
}

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
      {"kill", K::SemaphorePost, kSignalObject, -1, false, perform_signal<kill_>},
      {"pthread_kill", K::SemaphorePost, kSignalObject, -1, false, perform_signal<thread_kill>},
      {"sigprocmask", K::SemaphoreRead, kSignalObject, -1, false, perform_signal<change_mask>},
      {"pthread_sigmask", K::SemaphoreRead, kSignalObject, -1, false, perform_signal<change_mask>},
      {"sigpending", K::SemaphoreRead, kSignalObject, -1, false, perform_signal<sigpending_>},
      {"sigwait", K::SemaphoreWait, kSignalObject, -1, false, perform_signal<sigwait_>},
      {"sigwaitinfo", K::SemaphoreWait, kSignalObject, -1, false, perform_signal<sigwait_information<false>>},
      {"sigtimedwait", K::SemaphoreTimedWait, kSignalObject, -1, false, perform_signal<sigwait_information<true>>},
  };
  return rows;
}

std::span<const BuiltinRow> signal_builtins() {
  static const BuiltinRow rows[] = {
      {"abort", abort_},
      {"alarm", alarm_},
      {"signal", bsd_signal_},
      {"bsd_signal", bsd_signal_},
      {"__sysv_signal", system_v_signal},
      {"sysv_signal", system_v_signal},
      {"sigaction", sigaction_},
      {"sigaltstack", sigaltstack_},
      {"raise", raise_},
      {"pause", pause_},
      {"sigemptyset", sigemptyset_},
      {"sigfillset", sigfillset_},
      {"sigaddset", sigset_member<1>},
      {"sigdelset", sigset_member<-1>},
      {"sigismember", sigset_member<0>},
  };
  return rows;
}

}  // namespace heddle::machine
