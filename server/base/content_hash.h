// Hashes content to 128 bits, fast and without cryptographic strength: XXH3-128. Equal hashes count as equal content.
//
// In:      bytes.
// Out:     the hash as two numbers. Equal bytes have an equal hash on every machine and in every run.
// Owns:    nothing.
// Threads: callable anywhere.
// Fails:   never; that two different contents have one hash is not ruled out.
// From:    xxHash 0.8: XXH3_128bits without a seed.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::base {

struct ContentHash {
  uint64_t high = 0, low = 0;
};

ContentHash content_hash(std::string_view bytes);

}  // namespace heddle::base
