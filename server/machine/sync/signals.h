// The signals of a program: their layout in guest memory, and what sending, waiting and setting actions share.
//
// In:      the guest that a model runs for, or the state.
// Out:     pointers to the sets and actions; Status as models have it.
// Owns:    nothing. The process has one object of ProcessSignals, each thread that has touched its signals one of
//          ThreadSignals.
// Threads: the thread that uses the machine.
// Fails:   Status::Faulted after a fault.
#pragma once

#include <signal.h>

#include <cstddef>

#include "server/machine/library/model.h"
#include "server/machine/library/support.h"
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine::signals {

inline constexpr int kSignals = 64;
inline constexpr uint32_t kSetSize = 128;  // sigset_t; bit n-1 of its first 8 bytes for signal n
inline constexpr const char* kThreadSignals = "heddle.thread_signals";

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
constexpr uint64_t bit_of(int number) { return uint64_t{1} << (number - 1); }
inline constexpr uint64_t kNeverBlocked = bit_of(SIGKILL) | bit_of(SIGSTOP);
inline bool is_signal(int number) { return number > 0 && number <= kSignals; }

struct Sets {
  uint64_t blocked = 0, pending = 0;
};
static_assert(offsetof(ThreadSignals, pending) == 8);

Pointer process_signals(Guest& g);
Pointer action_of(Guest& g, int number);
Pointer thread_signals(Machine::State& s, Thread& t);
Pointer own_signals(Guest& g);
Sets sets_of(const Machine::State& s, Thread& t);
uint64_t process_pending(const Machine::State& s);

inline bool has_handler(const Action& action) { return action.handler > 1; }
// Ignored without an action of the program.
inline bool harmless(int number) {
  return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}
bool may_come_from_outside(int number);
// The running thread is ordered after all signals that were sent.
void acquire_sent(Guest& g);
// Runs the handlers of everything that is pending and not blocked; then the result is 0. As on Linux they begin in the
// order of their numbers, each interrupted by the next one: the last one runs first, unless another blocks it. State 0
// of the model: what was blocked before the handler that runs; 2 to 4: what the handler that it interrupts was given;
// 5: the handlers that have begun and are interrupted.
Status deliver(Guest& g);
Status raise_(Guest& g);  // the model of raise()

// Performs an operation by its model.
void perform(SyncCall& call, Builtin model);
template <Builtin model>
void perform_signal(SyncCall& call) {
  perform(call, model);
}

}  // namespace heddle::machine::signals
