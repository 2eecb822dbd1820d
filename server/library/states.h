// Names what library functions keep where no pointer of the program leads: clock, random numbers, signal masks, files,
// environment; and the library's variables.
//
// In:      a state, a symbol, a variable of guest text.
// Out:     names for people; the variable that a symbol means.
// Owns:    constant tables.
// Threads: pure functions on constant data.
// Fails:   never; empty for a symbol that is no variable. Standard output counts as no state.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::library {

using HiddenStates = uint32_t;  // bits

inline constexpr HiddenStates kClock = 1, kRandom = 2, kCancellation = 4, kSignals = 8, kThreadValues = 16,
                              kEnvironment = 32, kError = 64, kContents = 128, kNames = 256, kDescriptors = 512,
                              kArithmetic = 1024, kLocale = 2048, kOther = 4096, kExitHandlers = 8192,
                              kThreadNames = 16384, kStacks = 32768;
inline constexpr uint32_t kHiddenStates = 16;

inline constexpr HiddenStates kFiles = kContents | kNames | kDescriptors;

// A shared state that no edit propagates through: it is no hidden state. The bit before it is kStandard
// (standard_streams.h).
inline constexpr HiddenStates kCxxHandlers = 1 << 17;
// The same: keys of thread-specific values that are deleted, which others may use.
inline constexpr HiddenStates kDeletedKeys = 1 << 18;
// The same: what getrlimit(), getpriority() and their like ask for.
inline constexpr HiddenStates kProperties = 1 << 19;

// Names the lowest bit: "the clock", "errno".
std::string_view name_of_hidden(HiddenStates state);

// State that threads may use at the same time, as one object each.
struct SharedState {
  HiddenStates states = 0;
  std::string_view name = {};
};
inline constexpr SharedState kSharedStates[] = {{kFiles, "the files"},
                                                {kExitHandlers, "the exit handlers"},
                                                {kRandom, "the random numbers"},
                                                {kThreadValues, "the keys of thread-specific values"},
                                                {kThreadNames, "the names of threads"},
                                                {kSignals, "what signals do"},
                                                {kCxxHandlers, "the handlers of C++"},
                                                {kDeletedKeys, "the keys that are deleted"},
                                                {kProperties, "limits and priorities"}};

// A variable of the library. Programs may name it, except the last, and library functions use it unasked.
struct Variable {
  std::string_view name;  // as the program's symbol, without "__" in front
  bool unlocked = false;  // two library functions race for it, too; else the library locks it, or only reads it, or
                          // another variable of the same calls decides
};
inline constexpr Variable kVariables[] = {{"environ", true},
                                          {"optind", true},
                                          {"optarg"},
                                          {"optopt"},
                                          {"opterr"},
                                          {"stdin"},
                                          {"stdout"},
                                          {"stderr"},
                                          {"timezone"},
                                          {"daylight"},
                                          {"tzname"},
                                          {"signgam", true},
                                          {"program_invocation_name"},
                                          {"program_invocation_short_name"},
                                          {"the locale", true}};

// The name in kVariables of a symbol; empty if it is none of them.
std::string_view variable_of(std::string_view symbol);

// What guest text of the library keeps in a variable of its own (server/frontend/support), in words, by the variable's
// name without scope: "result of l64a()". `element`: of an array, else 0. Empty for other names.
std::string_view words_of_variable(std::string_view name, uint64_t element);

// Sets of variables: bits, by their places in kVariables.
using Variables = uint16_t;
inline constexpr Variables kEnviron = 1, kOptind = 2, kOptarg = 4, kOptopt = 8, kOpterr = 16, kStdin = 32, kStdout = 64,
                           kStderr = 128, kTimezone = 256, kDaylight = 512, kTzname = 1024, kSigngam = 2048,
                           kProgramName = 4096, kShortName = 8192, kTheLocale = 16384;

}  // namespace heddle::library
