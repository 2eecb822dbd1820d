// The state of one guest thread, and vector clocks.
//
// In:      nothing; filled by the machine.
// Out:     plain data, a copy of whose bytes restores it.
// Owns:    nothing. State owns the Threads; frames, jumps, keys and clocks are in the arena. Undo::touch() saves a
//          thread once per mark before it changes.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <cstdint>

#include "server/machine/spin/spin_state.h"
#include "server/machine/types.h"

namespace heddle::machine {

// Words in front of a frame's slots (fp[-1] ...).
inline constexpr uint32_t kHeader = 6;
// fp[-1]: return operation | caller's fp << 32        fp[-2]: function | stack objects at entry << 32
// fp[-3]: stack memory at entry (host)                fp[-4]: variadic area (guest) or the model that called back
// fp[-5]: the project's innermost call below, 0: none fp[-6]: hash of all frames below, 0: not asked for yet
inline constexpr uint32_t kNoFunction = 0xffffffffu;  // frames of the machine's own: thread roots, models
// Slots of a model's frame: 0 the callee's result (two slots), 2 stage, 3 call operation, 4.. state.
inline constexpr uint32_t kModelStage = 2, kModelCall = 3, kModelState = 4, kModelSlots = 12;

enum class Life : uint8_t { None, Running, Ended };

inline constexpr uint32_t kThreadObjects = 16;  // of the library, in Thread::thread_locals after those of the program

// What the pending operation is a part of, when it is not simply the instruction at pc.
enum class Phase : uint8_t {
  Normal,
  Wake,          // second half of a condition wait
  BarrierLeave,  // second half of a barrier wait
  OnceLeave,     // after the initialiser of pthread_once
  ThreadExit,
  ProcessExit,
  CopyWrite,    // second half of a visible memory copy
  Abandon,      // a robust mutex of a thread that ends
  FutexReturn,  // second half of a futex wait
  WriterWait,   // waits for a reader-writer lock that prefers writers
  SpinRead,     // repeated an invisible loop; waits for a plain location
  SetAside,     // parked at a fault; the others continue
  Input,        // before the first instruction of main: an unknown input is chosen
  ExitHandler,  // in exit() or after main: before the next exit handler is taken off its list
};
// The thread ends, or the process, or something on the way there.
inline bool ends(Phase phase) {
  return phase == Phase::ThreadExit || phase == Phase::ProcessExit || phase == Phase::Abandon ||
         phase == Phase::ExitHandler;
}

// Memory for stack objects; positions count through all chunks of a thread.
struct StackChunk {
  StackChunk* previous;
  StackChunk* next;
  uint8_t* end;
  uint64_t base;  // position of the first byte
  uint8_t* begin() { return reinterpret_cast<uint8_t*>(this + 1); }
  uint64_t position(uint8_t* at) { return base + static_cast<uint64_t>(at - begin()); }
};

// A call of setjmp whose function has not returned, and the frame's slots then: see jump.cc.
struct Jump {
  uint64_t frame;  // operation << 32 | fp
  uint64_t born;   // the frame's function and stack objects, to know it again
  uint64_t* slots;
  uint64_t capacity;  // words at slots
};

// An instruction of a function, in a frame of this depth, that the thread comes to: see memory/look_ahead.h.
struct LaterAccess {
  uint32_t function, index;
  uint16_t depth;
  uint8_t before;  // of a store: how many at the same place come first
  uint8_t bytes;   // which it leaves unwritten, a bit for each
  bool operator==(const LaterAccess& o) const { return function == o.function && index == o.index && depth == o.depth; }
};
inline constexpr uint32_t kUnwrittenCopy = 0xff, kUnwrittenLater = 8;  // of Thread::unwritten: a mask, a shift

struct Thread {
  uint32_t saved_mark;
  uint32_t id;
  Life life;
  Phase phase;
  bool detached, joined, spinning, woken, timed, exiting, pause_hint, left;
  bool perhaps_late;       // it was signalled, but may have left the condition variable before: see sync/condition.cc
  bool paused, gives_way;  // see spin/pauses.cc
  bool cancel_requested, cancel_disabled, ending;  // ending: cleanup handlers run
  bool takes_handler, after_main;                  // see exit_handlers.cc
  bool handler_in_wait;                            // a handler interrupts its condition wait (interruption.cc)
  bool defers_signal;                              // the next operation comes before the signal that has come
  uint8_t deferrals;                               // how many have, in a row
  bool ends_process;                               // the last thread, after main has left
  uint16_t keys_looked_at;                         // at its end, for destructors: of the keys in all rounds
  uint32_t parent, created_at, entry;              // entry: function
  uint32_t children;                               // threads it has created
  uint32_t create_clock;                           // clock id; 0: none

  uint64_t* stack;              // frames
  uint32_t stack_capacity;      // words
  uint32_t pc, fp, top, depth;  // operation, and words into stack
  uint32_t saved_from;          // frames from here up are saved for this mark
  uint32_t depth_most;          // frames that its stack can hold
  uint64_t stack_size;          // bytes
  uint64_t stack_bytes;         // of its variables in memory that have begun and not ended

  uint32_t heap_objects, stack_objects;  // numbers used
  uint8_t* stack_memory;                 // free bytes for stack objects, in stack_chunk
  StackChunk* stack_chunk;
  uint64_t fresh_above;            // no mark knows a live stack object above this
  uint64_t saved_low, saved_high;  // stack memory already saved for this mark

  uint32_t clock, acquire_clock, release_clock;  // happens-before; see happens_before.cc
  uint32_t events;                               // visible operations performed
  uint64_t last_step;                            // the last of them, as a hash of place and object
  uint64_t step_accesses;                        // hash of the plain accesses to shared memory since it began
  uint32_t recent_accesses;                      // the newest of them in recent_, plus 1; 0: none
  uint64_t frames_hash;                          // where it stands now; 0: not asked for since it ran
  uint64_t decisive_frames;                      // the same, of the slots that decide something (alike.cc)

  uint64_t start_state;  // of a std::thread: what runs, deleted at the end; 0: none
  uint32_t given[2];     // functions in that state, of the library and of the project, plus 1: they name the thread
  uint64_t result;       // of the start function
  uint64_t waits_for;    // condition variable, barrier or futex, as an address
  uint64_t waits_mutex;
  uint32_t waits_since;  // barrier: its generation; futex: the set of bits that may wake it

  uint64_t cleanup;       // the newest cleanup handler's jump buffer, as an address; 0: none
  uint32_t cancel_clock;  // released by pthread_cancel
  uint32_t jump_count, jump_capacity;
  Jump* jumps;  // where longjmp may go

  uint64_t* thread_locals;  // GlobalId -> address, 0: not made
  uint64_t* keys;           // pthread_key_t -> value
  uint32_t keys_capacity;
  uint32_t errno_object;
  uint32_t unwritten;  // of the value that the next store copies: a bit per byte that was never written; then how many
                       // of `later` there are
  uint32_t looked_at;  // loads of unwritten bytes to come whose values are followed already; whether the last decides
  uint32_t later_begin;
  LaterAccess later[4];       // stores
  LaterAccess decisive_load;  // the last of those loads

  uint64_t stores;         // guest stores so far
  uint32_t clock_reads;    // of its clock, so far
  uint32_t clock_read_at;  // the event that comes after its last look at the clock; 0: none
  SpinState spin;

  uint64_t exception;    // what the landing pad that is entered next reads: the exception ...
  uint64_t selector;     // ... and which clause matched
  bool unwinding;        // an exception leaves the initialiser of pthread_once
  uint64_t copy_buffer;  // of a visible memory copy between its halves
  Operation pending;
};

// Also while a handler interrupts the wait.
inline bool in_condition_wait(const Thread& t) { return t.phase == Phase::Wake || t.handler_in_wait; }

// One vector clock: entry t is the number of the last event of thread t that is ordered before.
struct Clock {
  uint32_t saved_mark;
  uint32_t reserved;
  uint64_t time;  // the latest that anything before can have seen, in nanoseconds: see sync/time.cc
  uint32_t at[];
};

constexpr uint32_t epoch_of(uint32_t thread, uint32_t count) { return thread << 24 | (count & 0xffffff); }

}  // namespace heddle::machine
