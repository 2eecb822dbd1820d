// What a signal does: handlers, their stacks, abort(), and sets of signals.
#include <cerrno>
#include <cstring>

#include "server/machine/code/registry.h"
#include "server/machine/sync/signals.h"

namespace heddle::machine {
namespace {

using models::after;
using models::done;
using models::done_int;
using models::failed;
using models::load;
using models::store;
using namespace signals;

constexpr uint64_t kSignalStackLeast = 2048;
struct GlibcAction {  // what sigaction takes and gives
  uint64_t handler;
  uint8_t mask[kSetSize];
  int32_t flags;
  uint32_t unused;
  uint64_t restorer;
};
static_assert(sizeof(GlibcAction) == 152);

bool cannot_be_caught(int number) { return number == SIGKILL || number == SIGSTOP; }

// What waits is discarded when the signal is ignored from now on.
bool discard(Guest& g, int number) {
  auto& call = static_cast<CallGuest&>(g);
  if (!forget(g, process_signals(g), number)) return false;
  for (uint32_t id = 0; id < call.s.threads_.limit(); ++id) {
    Thread* const thread = call.s.threads_[id];
    if (thread == nullptr || thread->life != Life::Running) continue;
    if ((sets_of(call.s, *thread).pending & bit_of(number)) == 0) continue;
    if (!forget(g, thread_signals(call.s, *thread), number)) return false;
  }
  return true;
}

// False after a fault.
bool install(Guest& g, int number, const Action& action) {
  if (has_handler(action) && may_come_from_outside(number)) static_cast<CallGuest&>(g).s.handles_signals_ = true;
  if (has_handler(action) && !note_handler(g, number)) return false;
  const bool ignores = action.handler == 1 || (action.handler == 0 && harmless(number));
  return store(g, action_of(g, number), action) && (!ignores || discard(g, number));
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

// The first of the real-time signals that programs may use, and the last one.
Status first_real_time(Guest& g) { return done_int(g, 34); }
Status last_real_time(Guest& g) { return done_int(g, kSignals); }

}  // namespace

std::span<const BuiltinRow> signal_builtins() {
  static const BuiltinRow rows[] = {
      {"abort", abort_},
      {"signal", bsd_signal_},
      {"bsd_signal", bsd_signal_},
      {"__sysv_signal", system_v_signal},
      {"sysv_signal", system_v_signal},
      {"sigaction", sigaction_},
      {"sigaltstack", sigaltstack_},
      {"raise", raise_},
      {"sigemptyset", sigemptyset_},
      {"sigfillset", sigfillset_},
      {"sigaddset", sigset_member<1>},
      {"sigdelset", sigset_member<-1>},
      {"sigismember", sigset_member<0>},
      {"__libc_current_sigrtmin", first_real_time},
      {"__libc_current_sigrtmax", last_real_time},
  };
  return rows;
}

}  // namespace heddle::machine
