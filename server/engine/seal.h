// What this user's engine wrote can be told from what came with a checkout.
//
// In:      bytes, and the place that they stand in (table and key of a row, name of a file).
// Out:     the bytes with a tag in front of them; of such bytes, those that were sealed for that place with this key.
// Cost:    a gigabyte a second.
// Owns:    16 secret bytes: HEDDLE_LEDGER_KEY if it is set, else the file `ledger.key` in the user's state folder
//          (HEDDLE_STATE_DIR, XDG_STATE_HOME, ~/.local/state), else in HEDDLE_CACHE_DIR; made when it is needed first,
//          for the user only.
// Threads: any, after it is made.
// Fails:   without a place for the key it lives as long as the process: what was written before is not believed then.
// From:    Aumasson, Bernstein: SipHash: a fast short-input PRF (2012); SipHash-2-4 with 128 bits.
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
  // Nothing: somebody else wrote it, or it stood in another place.
  std::optional<std::string> open(std::string_view place, std::string_view sealed) const;

 private:
  Key key_;
};

// Exposed for its test vectors.
std::array<uint64_t, 2> siphash(const Seal::Key& key, std::string_view bytes);

}  // namespace heddle::engine
