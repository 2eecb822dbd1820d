// Synchronisation objects and the table of visible library operations.
//
// In:      the address of a pthread or C11 object in guest memory; its state is kept here, keyed by address.
// Out:     how many outcomes an operation has now, and its execution.
// Owns:    nothing; the objects are plain data in the machine's arena, the tables of rows are constant.
// Threads: the thread that uses the machine; the tables any.
// Fails:   misuse raises a fault: null or false is returned. An unknown name gives null.
// From:    POSIX.1-2017 (pthread), ISO C17 7.26; happens-before: ISO C17 5.1.2.4.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "server/machine/machine.h"

namespace heddle::machine {

class Guest;
struct Thread;

enum class SyncKind : uint8_t { None, Mutex, SpinLock, ReadWriteLock, Condition, Semaphore, Barrier, Once };

struct SyncObject {
  uint32_t saved_mark;
  SyncKind kind;
  uint8_t type;  // Mutex: 0 normal, 1 recursive, 2 errorcheck (glibc's numbers); with kRobust. Once: kGuard
  uint8_t destroyed;
  uint8_t state;  // Once: 0 fresh, 1 running, 2 done; Mutex, robust: Robust
  uint64_t address;
  uint64_t version;         // changes whenever the state does
  uint32_t owner;           // ThreadId, or none
  uint32_t count;           // recursion depth, readers, semaphore value, barrier size
  uint32_t arrived;         // Barrier: threads waiting
  uint32_t generation;      // Barrier
  uint32_t clock;           // released; ReadWriteLock: by writers
  uint32_t second_clock;    // ReadWriteLock: released by readers; Barrier: of the round that is leaving
  uint32_t locked_at;       // operation
  uint32_t readers;         // ReadWriteLock: a clock that counts the read locks of each thread
  uint32_t initialised;     // epoch of the call that initialised it; 0: a static initialiser, or another library's
  uint32_t initialised_at;  // operation
};
static_assert(sizeof(SyncObject) % 8 == 0);

// Mutex: SyncObject::type.
inline constexpr uint8_t kTypeMask = 3, kRecursive = 1, kErrorCheck = 2, kRobust = 16;
// Mutex: SyncObject::state.
enum class Robust : uint8_t {
  Consistent,
  OwnerDied,       // free; the next thread that locks it gets EOWNERDEAD
  Inconsistent,    // locked by a thread that got EOWNERDEAD
  NotRecoverable,  // unlocked as it was
};
inline constexpr uint8_t kGuard = 1;     // a Once that guards a static local variable
inline constexpr uint8_t kOnceDone = 2;  // Once: SyncObject::state

// Happens-before of one atomic location.
struct AtomicLocation {
  uint32_t saved_mark;
  uint32_t size;
  uint64_t address;
  uint32_t release_clock;                       // what an acquire load of the current value synchronises with
  uint32_t writes, writes_at, reads, reads_at;  // clocks: last accesses per thread, and where
  // Where stores may continue release sequences: the thread whose releases make up release_clock. kSeveral: `heads` is
  // a clock with, per thread, the clock of its own releases in the sequence, or 0.
  uint32_t head, heads;
  uint32_t reserved;
  uint64_t time;  // at the latest store, in any order: who reads the value comes later
};
inline constexpr uint32_t kSeveral = 0xfffffffeu;
static_assert(sizeof(AtomicLocation) % 8 == 0);
inline constexpr uint32_t kAtomicMost = 16;  // bytes; larger ones overlap no others

// One call of a visible library operation.
class CallGuest;
struct SyncCall;
struct VisibleRow {
  std::string_view name;
  OperationKind kind;
  int8_t object = 0;  // argument that is the object; -1: none
  int8_t second = -1;
  bool c11 = false;  // results are thrd_* codes
  void (*perform)(SyncCall&) = nullptr;
  std::span<const uint64_t> values = {};  // DataChoice: what the result can be; empty: an assumption
  uint8_t size = 0;  // atomic calls by value: of the object, in bytes; Join: 1 if it only tries; DataChoice: kReceives
};
inline constexpr uint8_t kReceives = 1;       // what comes from outside of the program: how many bytes is the choice
inline constexpr int8_t kAtomicSection = -2;  // VisibleRow::object: the one of all atomic sections
inline constexpr int8_t kSignalObject = -3;   // the signals of the process
inline constexpr int8_t kSemaphoreNames = -4;
inline constexpr int8_t kFileObject = -5;
inline constexpr int8_t kExitHandlers = -6, kQuickExitHandlers = -7;
inline constexpr int8_t kGenerator = -8, kThreadKeys = -9, kNamesOfThreads = -10, kSignalHandlers = -11;
inline constexpr int8_t kTerminateHandler = -12, kNewHandler = -13, kProperties = -14;
// The process object that such a number stands for; other rows: none.
struct ProcessWide {
  const char* name = nullptr;
  uint32_t size = 0;
};
inline constexpr ProcessWide kSections{"heddle.atomic_section", 40}, kSignalActions{"heddle.signals", 1568},
    kNames{"heddle.semaphore_names", 40}, kFileCells{"heddle.file_cells", 12936}, kExitList{"heddle.atexit", 24584},
    kQuickExitList{"heddle.quickexit", 24584}, kGeneratorState{"heddle.random", 136},
    kKeyTable{"heddle.thread_keys", 8}, kThreadNameTable{"heddle.thread_names", 4096},
    kTerminate{"heddle.terminate", 8}, kNewHandlerCell{"heddle.new_handler", 8},
    kPropertyTable{"heddle.properties", 4392};
inline ProcessWide process_wide(int8_t object) {
  switch (object) {
    case kAtomicSection: return kSections;
    case kSignalObject: return kSignalActions;
    case kSemaphoreNames: return kNames;
    case kFileObject: return kFileCells;
    case kExitHandlers: return kExitList;
    case kQuickExitHandlers: return kQuickExitList;
    case kGenerator: return kGeneratorState;
    case kThreadKeys: return kKeyTable;
    case kNamesOfThreads: return kThreadNameTable;
    case kSignalHandlers: return kSignalActions;
    case kTerminateHandler: return kTerminate;
    case kNewHandler: return kNewHandlerCell;
    case kProperties: return kPropertyTable;
    default: return {};
  }
}

const VisibleRow* find_visible(std::string_view name);
// Library functions that are visible only because the thread may be cancelled in them.
const VisibleRow* find_cancellation_point(std::string_view name);
const VisibleRow* find_sleep(std::string_view name);  // what a signal ends early
// Calls on files, visible only where several threads make them (sync/files.cc).
const VisibleRow* find_file_call(std::string_view name);
// Calls that register exit handlers, visible only where several threads register or run them (exit_handlers.cc).
const VisibleRow* find_exit_registration(std::string_view name);
// Calls on other state of the library, visible only where several threads use it (sync/states.cc); kStateBytes each.
const VisibleRow* find_state_call(std::string_view name, uint32_t shared);  // HiddenStates
inline constexpr uint8_t kStateBytes = 8;
inline bool is_state_call(const VisibleRow& row) { return row.object <= kGenerator; }
// Which part of the state the call is about, by its first argument.
void describe_state_call(const VisibleRow& row, uint64_t argument, Operation& op);
uint32_t signal_action_place(int number);     // in kSignalActions; 0 if that is no signal (sync/signal.cc)
uint32_t thread_name_place(uint64_t handle);  // in kThreadNameTable (sync/thread.cc)
struct Callee;
// Called by the library (fclose as the destructor of a key), both are no scheduling points.
Callee without_scheduling_point(const Callee& callee);
// One table per kind of object, each in its own file.
std::span<const VisibleRow> mutex_rows();            // sync/mutex.cc, with spin locks
std::span<const VisibleRow> read_write_rows();       // sync/rwlock.cc
std::span<const VisibleRow> condition_rows();        // sync/condition.cc
std::span<const VisibleRow> semaphore_rows();        // sync/semaphore.cc, with barriers and once
std::span<const VisibleRow> futex_rows();            // sync/futex.cc
std::span<const VisibleRow> thread_rows();           // sync/thread.cc
std::span<const VisibleRow> cancel_rows();           // sync/cancel.cc
std::span<const VisibleRow> outside_rows();          // sync/outside.cc
std::span<const VisibleRow> atomic_rows();           // sync/atomic.cc
std::span<const VisibleRow> guard_rows();            // sync/guard.cc: static locals of C++
std::span<const VisibleRow> choice_rows();           // sync/choice.cc: unknown inputs, assumptions, atomic sections
std::span<const VisibleRow> signal_rows();           // sync/signal.cc
std::span<const VisibleRow> signal_wait_rows();      // sync/signal_wait.cc
std::span<const VisibleRow> timer_rows();            // sync/timers.cc
std::span<const VisibleRow> named_semaphore_rows();  // sync/semaphore_named.cc

struct CallInfo;

// Which names or contents of files the pending call reads or changes.
void describe_file_call(Machine::State& state, Thread& t, const VisibleRow& row, const CallInfo& info, Operation& op);
// The system call by its arguments: FutexWait, FutexWake, or Yield for the others.
OperationKind system_call_kind(const Machine::State& state, const Thread& t);
// Outcomes of the pending wait for a signal. Enabled also if no thread is left to send one: performing it reports that.
uint32_t signal_alternatives(Machine::State& state, Thread& t);               // sync/signal_wait.cc
uint32_t outside_alternatives(const Machine::State& state, const Thread& t);  // of a pending kReceives
// The thread that argument 0 names, for a call that "names" it. Null after a fault: its id is valid no more.
Thread* named_thread(CallGuest& guest, const char* verb);
void inherit_signal_mask(Machine::State& state, Thread& parent, Thread& child);
void inherit_properties(Machine::State& state, Thread& parent, Thread& child);  // sync/properties.cc
// Of the calling thread: gives the old one. False after a fault.
bool exchange_cancel_type(Guest& guest, int32_t& type);
// Outcomes of the pending FutexWake: which of the waiters it wakes.
uint32_t futex_wake_alternatives(const Machine::State& state, const Thread& t);
// Of a reader-writer lock: does it keep readers out while a writer waits, and does one wait (sync/rwlock.cc)?
bool prefers_writers(const Machine::State& state, Pointer lock);
bool writer_waits(const Machine::State& state, const SyncObject& lock);
uint32_t futex_value(const Machine::State& state, const Thread& t);  // of its pending wait: what the word has to have

struct SyncCall {
  Machine::State& state;
  Thread& thread;
  const VisibleRow& row;
  const CallInfo& info;
  const Operation& operation;
  Event& event;
  uint32_t alternative = 0;
  bool stays = false;     // the thread remains at this call, in another phase
  bool pushed = false;    // a guest function was called; the thread continues there
  bool failed = false;    // changed nothing: counts as a round of spinning
  bool spurious = false;  // a wait that ended for nothing
  uint64_t argument(uint32_t n) const;
  uint32_t argument_count() const;
  void result(uint64_t bits, uint32_t part = 0);  // part 1: the second 8 bytes
  bool result_is_used() const;                    // does the program look at what the call gives?
  void error(int code);                           // an errno value, translated for C11; 0: success
  bool misuse(const std::string& message);        // raises LockMisuse; returns false
  // What the call decides by. False after a fault, also if no byte was ever written, or the attribute was destroyed.
  bool read_written(Pointer from, void* to, uint32_t size);
  bool read_attribute(uint32_t argument_number, uint32_t offset, void* to, uint32_t size);
  // The live object the call is about; null after a fault. `size`: bytes of it in guest memory.
  SyncObject* object(SyncKind kind, uint32_t size);
  // Before an object is initialised: a fault, and false, if a thread holds it or waits for it.
  bool may_initialise();
  void initialised(SyncObject& object);  // by this call: its uses have to be ordered after it
};

// How a message continues about a thread whose id no call may use any more; empty: it may.
std::string end_of_life(const Thread& thread);

// The thread was cancelled, and this operation is a cancellation point: its handlers run, and it ends.
void act_on_cancellation(SyncCall& call);

}  // namespace heddle::machine
