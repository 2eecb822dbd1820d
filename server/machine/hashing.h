// Hashes of the parts of a machine state. Zero words hash to zero, so that fresh memory costs nothing.
//
// In:      words, addresses, object numbers, sizes in bytes, epochs.
// Out:     64-bit hashes; 0 for a zero word, an empty object and the epoch 0.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; different states can have the same hash.
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
// The shadow of a granule counts hash_epoch * hash_span; where a granule ends does not matter to the sum.
constexpr uint64_t hash_epoch(uint32_t object, bool write, uint32_t epoch) {
  return epoch == 0 ? 0 : combine(uint64_t{object} << 32 | (write ? 0x5adull : 0x5aeull), epoch);
}
constexpr uint64_t hash_span(uint64_t begin, uint64_t end) { return mix(end + 0x5ad) - mix(begin + 0x5ad); }

}  // namespace heddle::machine
