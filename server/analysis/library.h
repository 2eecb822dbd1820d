// Describes the effects of library functions for the analyses and the comparison, one row per function.
//
// In:      a link name; for shared_states, facts.
// Out:     the function's row.
// Cost:    one binary search a look-up, two for names that begin with "heddle.".
// Owns:    one static table, built at first use.
// Threads: constant data, readable anywhere.
// Fails:   never; null for a function without a row.
#pragma once

#include <cstdint>
#include <string_view>

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
};
// A function with as many arguments is taken to do more with them than it does. What main's returns change, the exit
// handlers, is their operand kStatesChanged.
inline constexpr uint32_t kStatesRead = 13, kStatesChanged = 14;

// std::thread::_M_start_thread(std::unique_ptr<std::thread::_State>, void (*)())
inline constexpr std::string_view kStartThread =
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE";

// The offset of a thrown object in the block that __cxa_allocate_exception makes; the machine's header comes first.
inline constexpr int64_t kExceptionHeader = 64;

const LibraryFunction* find_library_function(std::string_view name);

// Which of kSharedStates may several threads use, one of which changes it?
HiddenStates shared_states(const Facts& facts);
HiddenStates all_shared_states();

}  // namespace heddle::analysis
