// What is known of each kind of visible operation, from one table: operation_kinds.def. A new kind is a row there; the
// file of its family performs it (sync/*.cc).
//
// In:      a kind.
// Out:     its traits. Two columns need a machine: pending.cc and alternatives.cc have them.
// Owns:    nothing.
// Threads: any.
// Fails:   never; a row that lacks a column does not compile.
// From:    Abdulla, Aronsson, Jonsson, Sagonas 2014 (dependence); GenMC's spin assumptions (effects in a round).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace heddle::machine {

enum class OperationKind : uint8_t {
#define HEDDLE_OPERATION(Kind, ...) Kind,
#include "server/machine/operation_kinds.def"
#undef HEDDLE_OPERATION
};

enum class OperationFamily : uint8_t {
  Memory,
  Mutex,  // and spin locks
  ReadWriteLock,
  Condition,
  Futex,
  Semaphore,
  Barrier,
  Once,
  Thread,
  Cancellation,
  Life,  // of synchronisation objects
  Data,
};

// What the thread does while another one stands in its way.
enum class Waiting : uint8_t {
  Never,     // nothing does
  Blocks,    // it cannot act until the other has gone
  Tries,     // it fails at once
  Timed,     // it fails once its time is up
  EndsWait,  // it has waited: until it was woken or, where it had one, its time was up
};

// What an operation does in a round of a loop that may only wait (spin.cc).
enum class RoundEffect : uint8_t {
  Reads,
  Takes,  // something that a later operation gives back
  Gives,
  Changes,
  TakesUnlessInVain,    // else it reads
  TakesIfInVain,        // else it changes
  ChangesUnlessInVain,  // else it reads
};

// What a loop that performs the operation waits for: a change there.
enum class Watched : uint8_t { Nothing, Memory, Object, Second, AnyEvent };

enum class TouchMode : uint8_t {
  Read,        // commutes with Read
  Accumulate,  // commutes with Accumulate: semaphore posts, ends of threads as the process sees them
  Write,       // commutes with nothing
};

// How an earlier touch relates to a later one that had to wait for the cell.
enum class Releases : uint8_t {
  Nothing,
  Perhaps,    // may have been what the later one waited for (a semaphore post, a signal), or have failed for want of it
  Certainly,  // the later one cannot have been possible before: an unlock before a lock
};

// What an operation touches, so that its order to others can matter.
enum class TouchedCell : uint8_t {
  Memory,         // `size` bytes at `object`
  ObjectsWithin,  // the synchronisation objects in these bytes
  Object,         // the synchronisation object at `object`
  Second,         // the one at `second`
  Held,           // the one at `object`, for reading if a shared hold is given back (`size` 1)
  GuardByte,      // the first byte of the guard of a static local, which code reads by itself; other objects: nothing
  Thread,         // the one that `object` names
  Joined,         // the same, or all others; waits for it unless it only tries (`size`)
  OwnThread,
  Request,  // whether the thread that `object` names is to be cancelled
  Process,
};

struct Touch {
  TouchedCell cell = TouchedCell::Memory;
  TouchMode mode = TouchMode::Read;
  Releases releases = Releases::Nothing;
  bool waits = false;  // the operation is possible only while the cell allows it
};

struct OperationTraits {
  OperationFamily family;
  Waiting waiting;
  RoundEffect round_effect;
  bool in_waiting;  // a round of waiting may consist of such operations alone
  Watched watched;
  bool cancellation_point;  // of a program that cancels threads
  std::string_view verb;    // what a thread does with the object; empty: there is none, or its value says more
  std::string_view step;    // what a trace calls it
  std::array<Touch, 2> touches;
  uint8_t touch_count;
};

namespace operation_table {

constexpr bool No = false, Yes = true, Waits = true;

#define HEDDLE_TOUCH(name, Cell)                                                                    \
  constexpr Touch name(TouchMode mode, Releases releases = Releases::Nothing, bool waits = false) { \
    return {TouchedCell::Cell, mode, releases, waits};                                              \
  }
HEDDLE_TOUCH(memory, Memory)
HEDDLE_TOUCH(objects_within, ObjectsWithin)
HEDDLE_TOUCH(object, Object)
HEDDLE_TOUCH(second, Second)
HEDDLE_TOUCH(guard_byte, GuardByte)
HEDDLE_TOUCH(thread, Thread)
HEDDLE_TOUCH(joined, Joined)
HEDDLE_TOUCH(own_thread, OwnThread)
HEDDLE_TOUCH(request, Request)
HEDDLE_TOUCH(process, Process)
#undef HEDDLE_TOUCH
constexpr Touch held(Releases releases) { return {TouchedCell::Held, TouchMode::Write, releases, false}; }

consteval OperationTraits row(OperationFamily family, Waiting waiting, RoundEffect round_effect, bool in_waiting,
                              Watched watched, bool cancellation_point, std::string_view verb, std::string_view step,
                              std::initializer_list<Touch> touches) {
  OperationTraits result{family, waiting, round_effect, in_waiting, watched, cancellation_point, verb, step, {}, 0};
  for (const Touch& touch : touches) result.touches[result.touch_count++] = touch;
  return result;
}

using enum TouchMode;
using enum Releases;
inline constexpr OperationTraits kRows[] = {
#define HEDDLE_OPERATION(Kind, Family, Wait, Effect, InWaiting, Watch, CancellationPoint, Pending, Alternatives, verb, \
                         step, ...)                                                                                    \
  row(OperationFamily::Family, Waiting::Wait, RoundEffect::Effect, InWaiting, Watched::Watch, CancellationPoint, verb, \
      step, {__VA_ARGS__}),
#include "server/machine/operation_kinds.def"
#undef HEDDLE_OPERATION
};

}  // namespace operation_table

inline const OperationTraits& traits_of(OperationKind kind) {
  return operation_table::kRows[static_cast<uint8_t>(kind)];
}
inline OperationFamily family_of(OperationKind kind) { return traits_of(kind).family; }
inline Waiting waiting_of(OperationKind kind) { return traits_of(kind).waiting; }

// Does it give up in the end, if another thread stands in its way?
inline bool has_time_limit(OperationKind kind) {
  return waiting_of(kind) == Waiting::Timed || waiting_of(kind) == Waiting::EndsWait;
}
// Does it try to take something, at once or until a time?
inline bool tries(OperationKind kind) {
  return waiting_of(kind) == Waiting::Tries || waiting_of(kind) == Waiting::Timed;
}
// Of a mutex, spin lock or reader-writer lock.
inline bool is_of_lock(OperationKind kind) {
  return family_of(kind) == OperationFamily::Mutex || family_of(kind) == OperationFamily::ReadWriteLock;
}
inline bool takes_lock(OperationKind kind) {
  const RoundEffect effect = traits_of(kind).round_effect;
  return is_of_lock(kind) && (effect == RoundEffect::Takes || effect == RoundEffect::TakesUnlessInVain);
}
inline bool waits_for_lock(OperationKind kind) { return is_of_lock(kind) && waiting_of(kind) == Waiting::Blocks; }
inline bool gives_lock(OperationKind kind) {
  return is_of_lock(kind) && traits_of(kind).round_effect == RoundEffect::Gives;
}

}  // namespace heddle::machine
