// Random numbers for schedules. Internal to the folder.
//
// In:      a state, which starts as the seed.
// Out:     the next number, the same on every machine.
// Owns:    nothing.
// Threads: a pure function of the state.
// Fails:   never.
// From:    Steele, Lea, Flood 2014.
#pragma once

#include <cstdint>

namespace heddle::explore {

inline uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

}  // namespace heddle::explore
