// State that library functions keep where no pointer leads: clocks, random numbers, signal masks, files, the environment.
//
// In:      a link name. Out: which kinds of state its calls may change, and on which they may depend.
// Owns:    static tables. Threads: constant data.
// Fails:   a function nobody described has none. What only goes to standard output is no state.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::analysis {

using HiddenStates = uint32_t;  // bits

inline constexpr HiddenStates kClock = 1, kRandom = 2, kCancellation = 4, kSignals = 8, kThreadValues = 16,
                              kEnvironment = 32, kError = 64, kContents = 128, kNames = 256, kDescriptors = 512,
                              kArithmetic = 1024, kLocale = 2048, kOther = 4096;
inline constexpr uint32_t kHiddenStates = 13;

struct HiddenUse {
  std::string_view name = {};
  HiddenStates reads = 0, writes = 0;
  bool pauses = false;  // it lets the others go on: what a loop does in every round matters
};

HiddenUse hidden_use(std::string_view name);

// "the clock", "files"; of the lowest bit.
std::string_view name_of_hidden(HiddenStates state);

}  // namespace heddle::analysis
