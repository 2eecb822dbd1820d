// Seals bytes with a key of this user, so that what this user's engine wrote differs from what came with a checkout.
//
// In:      bytes, and the place where they are stored (table and key of a row, name of a file).
// Out:     the bytes with a tag before them; from such bytes, the original ones, if they were sealed for that place
//          with this key.
// Cost:    linear in the bytes.
// Owns:    a 16-byte key, made from HEDDLE_LEDGER_KEY or from the file `ledger.key`. The file is in the first usable
//          folder of HEDDLE_STATE_DIR, $XDG_STATE_HOME/heddle, ~/.local/state/heddle and HEDDLE_CACHE_DIR; it is
//          created at first use, readable for the user only.
// Threads: immutable once made, usable anywhere.
// Fails:   open() returns nothing for bytes without this seal. Without a place for the file the key lasts as long as
//          the process. of_user() aborts if the kernel has no random bytes.
// From:    Aumasson, Bernstein 2012 (SipHash-2-4 with 128 bits).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::engine {

class Seal {
 public:
  static constexpr size_t kTagBytes = 16;
  using Key = std::array<uint64_t, 2>;

  static Seal of_user();
  explicit Seal(Key key) : key_(key) {}

  std::string close(std::string_view place, std::string_view bytes) const;
  // Nothing: another key sealed it, or it was sealed for another place.
  std::optional<std::string> open(std::string_view place, std::string_view sealed) const;

 private:
  Key key_;
};

// Exposed for its test vectors.
std::array<uint64_t, 2> siphash(const Seal::Key& key, std::string_view bytes);

}  // namespace heddle::engine
