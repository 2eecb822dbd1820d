// Makes the names that outlive a build: identities of findings, names of string literals, which can be in them, and of
// cache folders.
// This hash may never change: suppressions and baselines that users wrote hold its results. Where equality decides
// whether something is used again, use Hasher (hash.h).
//
// In:      bytes, numbers and strings in an order that the caller fixes; strings and bytes are preceded by their
//          length.
// Out:     Hash. Equal input gives an equal hash on every little-endian machine, in every run and every version.
// Owns:    nothing; an IdentityHasher is a value.
// Threads: an IdentityHasher belongs to one thread.
// Fails:   never; that two different inputs have one hash is not ruled out.
#pragma once

#include <string_view>

#include "server/program/unit.h"

namespace heddle::program {

class IdentityHasher {
 public:
  IdentityHasher& number(uint64_t value);
  IdentityHasher& text(std::string_view value) { return bytes(value.data(), value.size()); }
  IdentityHasher& bytes(const void* data, size_t size);
  Hash finish() const;

 private:
  uint64_t a_ = 0x243f6a8885a308d3ull, b_ = 0x13198a2e03707344ull, count_ = 0;
};

}  // namespace heddle::program
