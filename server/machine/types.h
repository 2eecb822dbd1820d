// The vocabulary of the virtual machine: guest pointers, threads, operations, events, faults.
//
// In:      nothing.
// Out:     plain types. Sizes are in bytes; a guest pointer is object number << 32 | offset.
// Owns:    values.
// Threads: values.
// Fails:   never.
// From:    PorSe 4.3 (identities do not depend on the interleaving).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/machine/operation_kinds.h"
#include "server/program/program.h"

namespace heddle::machine {

using program::CodeAddress;
using program::MemoryOrder;

// A guest address. Object 0 is the null object. Objects made by a thread are numbered from that thread's own range.
struct Pointer {
  uint64_t bits = 0;
  uint32_t object() const { return static_cast<uint32_t>(bits >> 32); }
  uint32_t offset() const { return static_cast<uint32_t>(bits); }
  static Pointer make(uint32_t object, uint32_t offset) { return {uint64_t{object} << 32 | offset}; }
  auto operator<=>(const Pointer&) const = default;
};

// Dense number of a thread, equal in every interleaving: interned from its creation path ("main.0.1"). 0 is main.
using ThreadId = program::Id<struct ThreadTag>;

// Atomic sections (__VERIFIER_atomic_begin and _end): nothing of other threads happens while one is open.
enum class AtomicSection : uint8_t {
  None,  // the program has none
  Inside,
  Outside,  // waits until no section of another thread is open
  Begin,
  End,
};

inline constexpr uint64_t kAllOthers = ~uint64_t{0} - 1;  // no handle minus one
inline constexpr uint32_t kInterruptsAny = 0xff;

// A visible operation that a thread is about to do, or has done.
struct Operation {
  OperationKind kind = OperationKind::Read;
  MemoryOrder order = MemoryOrder::NotAtomic;
  AtomicSection section = AtomicSection::None;
  bool nested : 1 = false;         // on a lock that its holder keeps: no other thread notices
  bool cancellable : 1 = false;    // a cancellation point, in a program that cancels threads
  bool interruptible : 1 = false;  // a signal of another thread may come before it, in a program with such signals
  bool spinning : 1 = false;       // repeated a loop that changes nothing; enabled once `waits_for` is written
  bool compares : 1 = false;  // a compare-exchange: `second` is no word, but which of its two outcomes unknown values
                              // allow, as bits: it fails, it succeeds. 0: no unknown value decides
  ThreadId thread;
  Pointer object;             // memory or synchronisation object; Create, Join, Cancel: bits = the other's ThreadId;
                              // Join of all others, as far as they come: kAllOthers
  Pointer second;             // Wait, Wake: the mutex; calls of the library: a second word that they use, or none
  uint32_t size = 0;          // memory operations; ReadWriteUnlock: 1 if it gives back a shared hold, 0 a sole one;
                              // SemaphorePost that may interrupt: the other's ThreadId plus 1, or kInterruptsAny
  uint32_t alternatives = 0;  // outcomes that are possible now; 0: blocked. Which waiter a Signal wakes, whether a
                              // timed operation times out (the last alternative), which value a DataChoice takes
  CodeAddress at;             // the instruction; for library operations, the call in the program
};
static_assert(sizeof(Operation) == 40);
// Whether another thread can ask its thread for something at this operation: to end, or to handle a signal.
inline bool heeds_requests(const Operation& op) { return op.cancellable || op.interruptible; }
// Whether it asks another thread for that. What this one was about to do, even if it waited, then comes later or never.
inline bool makes_request(const Operation& op) {
  return op.kind == OperationKind::Cancel || (op.kind == OperationKind::SemaphorePost && op.size != 0);
}

// The first alternative from `from` on that is possible: those of a question about unknown inputs are bits of `second`.
inline uint32_t next_alternative(const Operation& op, uint32_t from) {
  if ((op.kind != OperationKind::DataChoice && !op.compares) || op.second.bits == 0) return from;
  while (from < op.alternatives && (op.second.bits >> from & 1) == 0) ++from;
  return from;
}

enum class ThreadStatus : uint8_t { Pending, Blocked, Ended };

// One executed operation, with values, for traces.
struct Event {
  Operation operation;
  uint64_t value_read = 0, value_written = 0;  // memory operations up to 8 bytes
  CodeAddress user;                            // recorded ones in library code: the call of the project that led there
  uint32_t alternative = 0;
  bool failed = false;  // did not get what it asked for: busy, timed out, not equal
  bool older = false;   // it found another value than the one stored last (weak.cc)
  bool visible = true;  // false: a plain access recorded for display only
  bool alone = false;   // performed in the step of the event before it, as there is no second thread yet
};
static_assert(sizeof(Event) == 72);  // a long path has very many

enum class FaultKind : uint8_t {
  DataRace,
  Assertion,
  Abort,
  UncaughtException,
  OutOfBounds,
  UseAfterFree,
  DoubleFree,
  InvalidFree,
  NullDereference,
  WildPointer,
  UninitialisedRead,
  Leak,
  LockMisuse,
  ThreadMisuse,
  ThreadLeak,
  DivisionByZero,
  Trap,
  StackOverflow,
  NotLinearizable,  // a driver reports results that no sequential order explains
  // our limits: the path ends, the verdict says so
  UnknownExternal,
  Unsupported,
  InstructionLimit,
  MemoryLimit,
  EndlessLoop,
};

// One place that matters for a fault, decisive ones first.
struct FaultPlace {
  CodeAddress at;
  ThreadId thread;
  std::string role;                // "reads", "writes", "allocated it here", "freed it here", "locked here"
  std::vector<CodeAddress> stack;  // call instructions, innermost first
  CodeAddress user;                // if `at` is library code: the call of the project that led there, if known
};

struct Fault {
  FaultKind kind = FaultKind::Trap;
  ThreadId thread;
  std::string message;  // no places in it: "reads 4 bytes, 8 bytes past the end of 'items' (40 bytes)"
  std::string subject;  // stable name of the object concerned, for the finding's identity: "queue.head"
  Pointer address;
  uint32_t size = 0;
  std::vector<FaultPlace> places;
};

}  // namespace heddle::machine
