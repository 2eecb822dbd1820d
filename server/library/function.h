// Describes the functions of the C, POSIX and C++ libraries, one row per function: who implements it, what it does to
// memory and hidden state, what it means for the analyses, and how messages speak of it.
//
// In:      a link name.
// Out:     the function's row; all rows.
// Cost:    one binary search a look-up, two for names that begin with "heddle.".
// Owns:    constant tables, one per header (string.cc, stdio.cc ...), joined at first use.
// Threads: constant data, readable anywhere.
// Fails:   never; null for a function without a row. A table that is not sorted does not compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "server/library/states.h"

namespace heddle::library {

enum class Implementation : uint8_t {
  Model,      // C++ code of Heddle: server/machine
  Operation,  // a visible operation of the machine: a scheduling point
  Text,       // guest text, compiled with the program: server/frontend/support
  Nothing,    // not implemented: a path that calls it ends as a limit
};

// What a call is, beyond accesses to memory.
enum class Effect : uint8_t {
  Accesses,     // only what `reads` and `writes` say (strlen, memcpy, abs)
  Allocates,    // returns a fresh object (malloc, strdup, fopen)
  Reallocates,  // returns argument 0's object or a fresh one
  Frees,
  Synchronises,   // see `interaction`
  CreatesThread,  // starts argument `callback` with argument `callback_data`
  CallsBack,      // calls argument `callback` (qsort, pthread_once, atexit)
  Exits,
};

// How a statement can affect other threads.
enum class InteractionKind : uint8_t {
  Read,
  Write,
  Update,  // plain accesses (Update: memcpy onto shared and the like)
  AtomicRead,
  AtomicWrite,
  AtomicUpdate,
  Fence,
  Lock,
  TryLock,
  Unlock,
  ReadLock,
  Wait,
  Signal,
  SemaphoreWait,
  SemaphorePost,
  Barrier,
  Create,
  Join,
  Once,
  Initialise,
  Destroy,
  Free,
  Exit
};

// What a call means to the analyses beyond its effects. Builder::library_meaning acts on it.
enum class Meaning : uint8_t {
  None,
  // memory
  NamedSemaphore,   // the result is the one object of all named semaphores
  ExceptionBlock,   // the result points after the machine's header of an exception
  CopiesBackward,   // memory of argument 0 to argument 1
  Separates,        // the result is what argument 0 points to (strsep)
  GetsEnvironment,  // the result lies in the environment
  PutsEnvironment,  // argument 0 lies in the environment from now on
  // threads
  StartsState,  // std::thread: the state that argument 1 points to has the entry
  GetsSpecific,
  SetsSpecific,
  ThreadResult,   // argument 0 is the thread's result
  JoinResult,     // argument 1 gets a thread's result
  Cancels,        // pthread_cancel: library calls become cancellation points
  BeginsSection,  // __VERIFIER_atomic_begin
  // atomic accesses of `object_argument`, by pointers
  AtomicLoad,      // to argument 2
  AtomicStore,     // from argument 2
  AtomicExchange,  // from argument 2, old value to argument 3
  AtomicCompare,   // expected argument 2, desired argument 3
  // atomic accesses by values that can hold a pointer
  LoadsValue,
  StoresValue,
  UpdatesValue,
  ComparesValue,  // expected: memory of argument 1
  // exceptions
  Throws,
  MakesException,
  Catches,
  CastsDynamically,
  CurrentException,
  RethrowsException,  // an exception_ptr
  Rethrows,
  ReleasesException,
  SetsTerminate,
  Terminates,
  // signals and the end of the process
  SetsHandler,      // argument 1, the old one is the result
  SetsAction,       // what arguments 1 and 2 point to
  SetsSignalStack,  // what arguments 0 and 1 point to
  RunsHandlers,     // of signals
  RegistersExit,
  RegistersQuickExit,
  ExitsQuickly,
  ExitsProcess,  // runs what was registered
};

// What a function that calls back passes.
enum class CallbackArguments : uint8_t { Data, TwoElements, KeyAndElement, StatusAndData, SpecificValue };

// What a result is in terms of argument `returns`.
enum class Returned : uint8_t { Nothing, Itself, Inside };

enum class BlockCall : uint8_t { None, Allocates, Releases };
enum class BlockKind : uint8_t { Malloc, New, NewArray };

// A set of arguments: bit n is argument n, bit 15 also every later one.
using Arguments = uint16_t;
// Of a call with `arguments` arguments. What a call reads and changes of states and variables counts as the memory of
// two arguments that no function has: one with as many arguments is taken to do more with them than it does. What
// main's returns change, the exit handlers, is their operand kStatesChanged.
inline constexpr uint32_t kStatesRead = 13, kStatesChanged = 14;

struct Effects {
  Effect effect = Effect::Accesses;
  bool known = true;                                    // false: guest text, which is analysed as code
  InteractionKind interaction = InteractionKind::Read;  // for Synchronises, CreatesThread, Exits
  int8_t object_argument = -1;                          // the synchronisation object
  int8_t mutex_argument = -1;                           // of a condition wait
  int8_t callback = -1;
  int8_t callback_data = -1;
  Arguments reads = 0, writes = 0;
  int8_t returns = -1;  // the result points into the object of this argument
  Returned returned = Returned::Nothing;
  int8_t stores_at = -1;  // *argument points into the object of `stores_from`, or to a fresh one if that is -1
  int8_t stores_from = -1;
  bool copies = false;  // the contents of argument 1 go to argument 0 (memcpy)
  bool fails = false;   // reaching it is an error by itself (abort, a failed assertion)
};

// State that no pointer leads to: what a call may change, and that on which its result may depend.
struct HiddenUse {
  HiddenStates reads = 0, writes = 0;
  bool operator==(const HiddenUse&) const = default;
};
// Of kSharedStates: what a call only reads, and what it changes. The machine makes it a scheduling point where several
// threads use the state.
struct SharedUse {
  HiddenStates reads = 0, changes = 0;
};
struct VariableUse {
  Variables reads = 0, changes = 0;
  bool operator==(const VariableUse&) const = default;
};

// Small columns, so that a row names them.
struct OwnState {
  std::string_view name;  // each thread has one; the result is its address ("errno")
};
struct Verb {
  std::string_view text;  // what a thread does with the object, in messages: "locks"
};
struct Module {
  std::string_view name, second;  // of server/frontend/support: what a program that names the function needs
};
struct Through {
  Arguments arguments = 0;  // each points to a pointer: what that one points to is read and written, too
};
// Bytes that leave memory, and come back elsewhere: through a descriptor, a stream, a queue.
struct Carried {
  Arguments out = 0, in = 0;  // the memory that is sent, or filled
};
struct Format {
  int8_t argument = -1;  // a text that says what the others are
};
struct Block {
  BlockCall call = BlockCall::None;
  BlockKind kind = BlockKind::Malloc;
};
enum class Flag : uint8_t {
  Pauses = 1,        // it lets other threads run, so what a loop does in each iteration matters
  ReadsClock = 2,    // its result depends on the time
  LeavesFrames = 4,  // ends frames above its own, as an exception does
  Puts = 8,          // writes text to a stream
  Parses = 16,       // makes numbers of text: an address that was printed may be among them
};

// One row. Name, implementation and effects are columns of every row; the others follow in any order.
struct Function : Effects {
  std::string_view name;
  Implementation implementation;
  HiddenUse hidden = {};
  SharedUse shared = {};
  VariableUse variables = {};  // counted where the project makes the call
  Meaning meaning = Meaning::None;
  CallbackArguments passes = CallbackArguments::Data;
  Block block = {};
  int8_t format = -1;
  Arguments through = 0;
  Carried carried = {};
  uint8_t flags = 0;
  std::string_view own_state = {}, verb = {};
  Module module = {};

  template <typename... Columns>
  constexpr Function(std::string_view function, Implementation by, const Effects& effects, Columns... columns)
      : Effects(effects), name(function), implementation(by) {
    (set(columns), ...);
  }
  constexpr bool has(Flag flag) const { return (flags & static_cast<uint8_t>(flag)) != 0; }

 private:
  constexpr void touch(bool read, bool changed) {
    if (read) reads |= 1u << kStatesRead;
    if (changed) reads |= 1u << kStatesChanged, writes |= 1u << kStatesChanged;
  }
  constexpr void set(HiddenUse use) { hidden = use, touch((use.reads & kError) != 0, (use.writes & kError) != 0); }
  constexpr void set(SharedUse use) { shared = use, touch(use.reads != 0, use.changes != 0); }
  constexpr void set(VariableUse use) { variables = use, touch(use.reads != 0, use.changes != 0); }
  constexpr void set(Meaning one) { meaning = one; }
  constexpr void set(CallbackArguments arguments) { passes = arguments; }
  constexpr void set(Block one) { block = one; }
  constexpr void set(Format one) { format = one.argument; }
  constexpr void set(Through one) { through = one.arguments, touch(true, true); }
  constexpr void set(Carried one) { carried = one; }
  constexpr void set(Flag flag) { flags |= static_cast<uint8_t>(flag); }
  constexpr void set(OwnState state) { own_state = state.name; }
  constexpr void set(Verb one) { verb = one.text; }
  constexpr void set(Module one) { module = one; }
};

// Of a call with `arguments` arguments. What it only reads of states and variables is not written, whatever the row
// says of later arguments.
inline bool writes_operand(const Function& row, uint32_t operand, size_t arguments) {
  return (operand != kStatesRead || arguments > kStatesRead) && (row.writes >> (operand < 15 ? operand : 15) & 1) != 0;
}

// A function of numbers, such as log2().
inline bool only_sets_errno(const Function& row) {
  return row.effect == Effect::Accesses && row.hidden == HiddenUse{0, kError} && row.writes == 1u << kStatesChanged &&
         row.reads == row.writes && row.shared.changes == 0 && row.variables == VariableUse{};
}

// In front of a function's name, in guest text that defines the function itself: its model.
inline constexpr std::string_view kModelOf = "heddle.";

// The offset of a thrown object in the block that __cxa_allocate_exception makes; the machine's header comes first.
inline constexpr int64_t kExceptionHeader = 64;

const Function* find_row(std::string_view name);           // of this very name
const Function* find_function(std::string_view name);      // with known effects; also by "heddle." and a name
const std::vector<Function>& all_functions();              // sorted by name
bool is_own_state(std::string_view name);                  // of some function's OwnState
const Function& filling_function();                        // of no name: writes what its first arguments point to
inline constexpr uint32_t kFilledArguments = kStatesRead;  // how many of them

}  // namespace heddle::library
