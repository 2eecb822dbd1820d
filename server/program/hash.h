// Content hashing: a fast 128-bit non-cryptographic hash for our own data.
//
// In:      bytes, numbers, strings, in an order the caller fixes (strings carry their length).
// Out:     Hash. The same bytes give the same hash on every machine and in every run.
// Owns:    nothing. Threads: a Hasher belongs to one thread.
#pragma once

#include <string_view>

#include "server/program/unit.h"

namespace heddle::program {

class Hasher {
 public:
  Hasher& number(uint64_t value);
  Hasher& text(std::string_view value);
  Hasher& bytes(const void* data, size_t size);
  Hasher& hash(const Hash& value) { return number(value.high).number(value.low); }
  Hash finish() const;

 private:
  uint64_t a_ = 0x243f6a8885a308d3ull, b_ = 0x13198a2e03707344ull, count_ = 0;
};

// Fill Function::hash, Global::hash and Unit::content from the rest of the unit.
void compute_hashes(Unit& unit);

Hash hash_bytes(std::string_view data);

}  // namespace heddle::program
