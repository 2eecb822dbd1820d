// How many bytes an object's data and its bits of definedness take.
//
// In:      the size of an object in bytes.
// Out:     bytes, a multiple of eight.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <cstdint>

namespace heddle::machine {

inline uint64_t round_up(uint64_t bytes) { return (bytes + 7) & ~uint64_t{7}; }
inline uint64_t init_bytes(uint64_t size) { return round_up(round_up(size) / 8); }

}  // namespace heddle::machine
