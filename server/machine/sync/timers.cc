// Timers, the machine's part: settings, and what happens when the time of one is up. The rest is guest text
// (server/frontend/support/timers.cc), in which each setting is a thread.
#include <signal.h>

#include "server/machine/code/registry.h"
#include "server/machine/sync/signals.h"

namespace heddle::machine {
namespace {

using models::done;
using models::done_int;
using models::load;
using models::store;
using namespace signals;

constexpr uint64_t kTimersMost = 32;

struct Timers {
  uint64_t settings[kTimersMost];  // how often each was set
  uint64_t current[kTimersMost];   // the setting whose time runs; 0: none does
  uint64_t unheard;                // signals that had no handler when their time was up
};

Pointer timers(Guest& g) { return g.process_object("heddle.timers", sizeof(Timers)); }
Pointer place(Guest& g, size_t member, uint64_t timer) { return models::after(timers(g), member + 8 * timer); }
Pointer current_of(Guest& g, uint64_t timer) { return place(g, offsetof(Timers, current), timer); }

// long heddle.set_timer(int timer, int set): twice the number of this setting, plus 1 if the one before still ran, which
// never expires now.
Status set_timer(Guest& g) {
  const auto timer = static_cast<uint32_t>(g.int_argument(0));
  const Pointer settings = place(g, offsetof(Timers, settings), timer);
  uint64_t count, before;
  if (!load(g, settings, count) || !store(g, settings, ++count)) return Status::Faulted;
  if (!load(g, current_of(g, timer), before)) return Status::Faulted;
  if (!store(g, current_of(g, timer), g.int_argument(1) != 0 ? count : 0)) return Status::Faulted;
  return done(g, 2 * count + (before != 0));
}

// int heddle.timer_runs(int timer): is it set, and has not expired?
Status timer_runs(Guest& g) {
  uint64_t current;
  if (!load(g, current_of(g, static_cast<uint32_t>(g.int_argument(0))), current)) return Status::Faulted;
  return done_int(g, current != 0);
}

// But the one that asks.
bool reaches_a_thread(Guest& g, int number) {
  auto& call = static_cast<CallGuest&>(g);
  for (uint32_t id = 0; id < call.s.threads_.limit(); ++id) {
    Thread* const thread = call.s.threads_[id];
    if (thread == nullptr || thread == call.t) continue;
    if (thread->life == Life::Running && (sets_of(call.s, *thread).blocked & bit_of(number)) == 0) return true;
  }
  return false;
}

Status send(Guest& g, int number, const Action& action, uint64_t value) {
  if (action.handler == 1 || (action.handler == 0 && harmless(number))) return done_int(g, 1);
  if (!store(g, own_signals(g), ~kNeverBlocked)) return Status::Faulted;  // a timer's thread takes no signal itself
  const Status status = send_to_process(g, {number, SI_TIMER, value});
  if (status == Status::Done) g.result_int(1);
  return status;
}

// A signal without a handler would end the process: a watchdog, whose time is taken not to be up.
bool ends_process(Guest& g, int number, const Action& action) {
  return number != 0 && action.handler == 0 && !harmless(number) && reaches_a_thread(g, number);
}

// int heddle.expire(long setting, int number, int timer, union sigval value, int repeats)
Status expire(Guest& g) {
  const auto timer = static_cast<uint32_t>(g.int_argument(2));
  const int number = g.int_argument(1);
  const Pointer unheard = place(g, offsetof(Timers, unheard), 0);
  uint64_t current, signals;
  Action action;
  if (!load(g, current_of(g, timer), current) || !load(g, unheard, signals)) return Status::Faulted;
  if (number != 0 && !load(g, action_of(g, number), action)) return Status::Faulted;
  if (current != g.argument(0)) return done_int(g, 0);
  if (ends_process(g, number, action))
    return store(g, unheard, signals | bit_of(number)) ? done_int(g, 0) : Status::Faulted;
  if (g.int_argument(4) == 0 && !store(g, current_of(g, timer), uint64_t{0})) return Status::Faulted;
  return number == 0 ? done_int(g, 1) : send(g, number, action, g.argument(3));
}

Status timer_repeats(Guest& g) {
  static_cast<CallGuest&>(g).s.timers_repeat_ = true;
  return Status::Done;
}

}  // namespace

bool signals::note_handler(Guest& g, int number) {
  uint64_t unheard;
  if (!load(g, place(g, offsetof(Timers, unheard), 0), unheard)) return false;
  if ((unheard & bit_of(number)) != 0) static_cast<CallGuest&>(g).s.root_.discarded = true;
  return true;
}

std::span<const BuiltinRow> timer_builtins() {
  static const BuiltinRow rows[] = {
      {"heddle.timer_repeats", timer_repeats},
      {"heddle.timer_runs", timer_runs},
  };
  return rows;
}

std::span<const VisibleRow> timer_rows() {
  static const VisibleRow rows[] = {
      {"heddle.expire", OperationKind::SemaphorePost, kSignalObject, -1, false, perform_signal<expire>},
      {"heddle.set_timer", OperationKind::Initialise, kSignalObject, -1, false, perform_signal<set_timer>},
  };
  return rows;
}

}  // namespace heddle::machine
