// Hashes of the parts of a machine state. Zero words hash to zero, so that fresh memory costs nothing.
//
// Owns:    nothing. Threads: pure functions.
#pragma once

#include <cstdint>

namespace heddle::machine {

constexpr uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  x ^= x >> 32;
  return x;
}
constexpr uint64_t combine(uint64_t a, uint64_t b) { return mix(a * 0x9e3779b97f4a7c15ull + b); }
constexpr uint64_t hash_word(uint64_t address, uint64_t value) { return value == 0 ? 0 : combine(address + 1, value); }
constexpr uint64_t hash_birth(uint32_t number, uint32_t size) {
  return size == 0 ? 0 : combine(0xb1f7 + uint64_t{number}, uint64_t{size} + 1);
}
constexpr uint64_t hash_shadow(uint32_t object, uint64_t cell, uint32_t epoch) {
  return epoch == 0 ? 0 : combine(uint64_t{object} << 32 | 0x5adull, cell << 32 | epoch);
}

}  // namespace heddle::machine
