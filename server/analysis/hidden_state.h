// Lists the state that library functions keep where no pointer leads: clock, random numbers, signal masks, files,
// environment.
//
// In:      a link name.
// Out:     the kinds of state that a call may change, and those on which its result may depend; the kinds whose calls
//          are scheduling points where several threads use them.
// Owns:    one static table, built at first use.
// Threads: constant data, readable anywhere.
// Fails:   never; a function without a row uses no hidden state. Standard output counts as no state.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::analysis {

using HiddenStates = uint32_t;  // bits

inline constexpr HiddenStates kClock = 1, kRandom = 2, kCancellation = 4, kSignals = 8, kThreadValues = 16,
                              kEnvironment = 32, kError = 64, kContents = 128, kNames = 256, kDescriptors = 512,
                              kArithmetic = 1024, kLocale = 2048, kOther = 4096, kExitHandlers = 8192,
                              kThreadNames = 16384;
inline constexpr uint32_t kHiddenStates = 15;

inline constexpr HiddenStates kFiles = kContents | kNames | kDescriptors;

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
                                                {kSignals, "what signals do"}};

struct HiddenUse {
  std::string_view name = {};
  HiddenStates reads = 0, writes = 0;
  bool pauses = false;  // it lets other threads run, so what a loop does in each iteration matters
};

HiddenUse hidden_use(std::string_view name);

// Names the lowest bit: "the clock", "errno".
std::string_view name_of_hidden(HiddenStates state);

}  // namespace heddle::analysis
