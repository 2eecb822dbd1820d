// Hashes content where equality decides whether something is used again (units, jobs, caches): XXH3-128.
//
// In:      bytes, numbers and strings in an order that the caller fixes; strings and bytes are preceded by their
//          length. Names that users write down, such as identities of findings: identity_hash.h.
// Out:     Hash. Equal input gives an equal hash on every little-endian machine and in every run of one format.
// Cost:    linear in the bytes.
// Owns:    nothing; a Hasher is a value.
// Threads: a Hasher belongs to one thread; the functions are pure, except that `compute_hashes` changes its argument.
// Fails:   never; that two different inputs have one hash is not ruled out.
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

// Fills Function::hash, Global::hash and Unit::content from the rest of the unit.
void compute_hashes(Unit& unit);

Hash hash_bytes(std::string_view data);

}  // namespace heddle::program
