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
// One signal that was sent and not taken yet, with what its siginfo_t says. Real-time signals queue up in the order in
// which they were sent; of the others one waits.
struct Sent {
  int32_t number = 0, code = 0;
  uint64_t value = 0;
};
inline constexpr uint64_t kSentMost = 32;
struct Queue {
  uint64_t count = 0;
  Sent sent[kSentMost];
};
struct ProcessSignals {
  uint64_t pending = 0;  // the numbers that are in the queue
  Action actions[kSignals + 1];
};
static_assert(sizeof(ProcessSignals) == kSignalActions.size);
struct ThreadSignals {
  uint64_t blocked = 0, pending = 0;
  uint8_t information[128] = {};                        // siginfo_t
  uint8_t context[968] = {};                            // ucontext_t: not filled
  uint64_t stack = 0, stack_flags = 0, stack_size = 0;  // of sigaltstack; handlers run on the thread's own
  Queue queue;                                          // of what is pending
  Queue begun;                                          // handlers that others interrupt before their first statement
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
// The running thread sends one; it is ordered after all signals that were sent.
void note_sent(Guest& g);
void acquire_sent(Guest& g);
// Adds to what is pending for the thread or the process; takes the first one with this number; takes
// the next of the set, 0: there is none, first what was sent to the thread, in the order of the numbers; forgets all
// with this number. False after a fault.
bool add(Guest& g, Pointer signals, const Sent& sent);
bool take_next(Guest& g, uint64_t set, Sent& sent);
bool forget(Guest& g, Pointer signals, int number);
bool push(Guest& g, Pointer queue, const Sent& sent);
bool pop(Guest& g, Pointer queue, Sent& sent);  // the last one
// What siginfo_t says of it.
inline constexpr uint32_t kInformationSize = 32;
bool write_information(Guest& g, Pointer to, const Sent& sent);

Status killed(Guest& g, int number);  // the end by a default action
// Runs the handlers of everything that is pending and not blocked; then the result is 0. As on Linux they begin in the
// order of their numbers, each interrupted by the next one: the last one runs first, unless another blocks it. State 0
// of the model: what was blocked before the handler that runs; 2 to 5: what the handler that it interrupts was given;
// 6: the handlers that have begun and are interrupted.
Status deliver(Guest& g);
Status raise_(Guest& g);  // the model of raise()
// To a thread that does not block it; if all block it, it waits in the process.
Status send_to_process(Guest& g, const Sent& sent);
// The signal gets a handler. A path on which a timer has expired without one is none: it would have ended there. False
// after a fault. timers.cc
bool note_handler(Guest& g, int number);
// Sends to a thread that does not block the signal and has not ended. interruption.cc
Status interrupt(Guest& g, Thread& other, const Sent& sent);

// What messages say of it: Event::value_written is the number of the signal, value_read the id of the thread that it is
// sent to, plus 1 (0: the process), or the handler that it runs.
void note_in(Event& event, int number, uint64_t whom);
// Performs an operation by its model.
void perform(SyncCall& call, Builtin model);
template <Builtin model>
void perform_signal(SyncCall& call) {
  perform(call, model);
}

}  // namespace heddle::machine::signals
