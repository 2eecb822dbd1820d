// Describes the effects of library functions for the analyses and the comparison, one row per function.
//
// In:      a link name; for shared_states, facts.
// Out:     the function's row; the states and variables that several threads use, one of which changes them.
// Cost:    one binary search a look-up, two for names that begin with "heddle.".
// Owns:    one static table, built at first use.
// Threads: constant data, readable anywhere.
// Fails:   never; null for a function without a row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/analysis/hidden_state.h"

namespace heddle::analysis {

enum class LibraryEffect : uint8_t {
  None,             // touches no memory of the program (abs, sqrt, isalpha)
  ReadsArguments,   // reads what its pointer arguments point to (strlen, printf)
  WritesFirst,      // writes through argument 0, may read the others; returns argument 0 (strcpy, memset)
  WritesArguments,  // may write through any pointer argument (scanf, snprintf)
  Allocates,        // returns a fresh object (malloc, strdup, fopen)
  Reallocates,      // returns argument 0's object or a fresh one
  Frees,
  Synchronises,   // see interaction
  CreatesThread,  // starts argument `callback` with argument `callback_data`
  CallsBack,      // calls argument `callback` (qsort, pthread_once, atexit)
  Exits,
};

// A variable of the library. Programs may name it, except the last, and library functions use it unasked.
struct LibraryVariable {
  std::string_view name;  // as the program's symbol, without "__" in front
  bool unlocked = false;  // two library functions race for it, too; else the library locks it, or only reads it, or
                          // another variable of the same calls tells
};
inline constexpr LibraryVariable kLibraryVariables[] = {
    {"environ", true}, {"optind", true}, {"optarg"},  {"optopt"},        {"opterr"},
    {"stdin"},         {"stdout"},       {"stderr"},  {"timezone"},      {"daylight"},
    {"tzname"},        {"signgam", true}, {"program_invocation_name"}, {"program_invocation_short_name"},
    {"the locale", true}};

struct VariableUse {
  uint16_t reads = 0, changes = 0;  // bits: places in kLibraryVariables
  bool operator==(const VariableUse&) const = default;
};

struct LibraryFunction {
  std::string_view name = {};
  LibraryEffect effect = LibraryEffect::None;
  InteractionKind interaction = InteractionKind::Read;  // for Synchronises, CreatesThread, Exits
  int8_t object_argument = -1;                          // the synchronisation object
  int8_t mutex_argument = -1;                           // of a condition wait
  int8_t callback = -1;
  int8_t callback_data = -1;
  // Bit n: argument n's memory is read or written; bit 15: also every later argument.
  uint16_t reads = 0;
  uint16_t writes = 0;
  int8_t returns = -1;    // the result points into the object of this argument
  int8_t stores_at = -1;  // *argument points into the object of `stores_from`, or to a fresh one if that is -1
  int8_t stores_from = -1;
  bool copies = false;  // the contents of argument 1 go to argument 0 (memcpy)
  bool fails = false;   // reaching it is an error by itself (abort, a failed assertion)
  // Of kSharedStates: what it only reads, and what it changes. They count as the memory of the two arguments below.
  HiddenStates states_read = 0, states_changed = 0;
  VariableUse variables = {};  // in the same way, where the project calls it
};
// A function with as many arguments is taken to do more with them than it does. What main's returns change, the exit
// handlers, is their operand kStatesChanged.
inline constexpr uint32_t kStatesRead = 13, kStatesChanged = 14;

// Of a call with so many arguments. What it only reads of states and variables is not written, whatever the row says of
// later arguments.
inline bool writes_operand(const LibraryFunction& row, uint32_t operand, size_t arguments) {
  return (operand != kStatesRead || arguments > kStatesRead) && (row.writes >> (operand < 15 ? operand : 15) & 1) != 0;
}

// std::thread::_M_start_thread(std::unique_ptr<std::thread::_State>, void (*)())
inline constexpr std::string_view kStartThread =
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE";

// The offset of a thrown object in the block that __cxa_allocate_exception makes; the machine's header comes first.
inline constexpr int64_t kExceptionHeader = 64;

const LibraryFunction* find_library_function(std::string_view name);

// Which of kSharedStates may several threads use, one of which changes it?
HiddenStates shared_states(const Facts& facts);
HiddenStates all_shared_states();

// Do calls in this function count as uses? Not those of the C++ library: a user cannot help them.
bool counts_variables(const program::Program& program, FunctionId function);
// The name in kLibraryVariables of a symbol; empty if it is none of them.
std::string_view library_variable(std::string_view symbol);
uint16_t shared_variables(const Facts& facts);
// What the library keeps for each thread (errno), and another thread may reach through a pointer.
std::vector<std::string> shared_thread_states(const Facts& facts);

}  // namespace heddle::analysis
