// The ways to a unit, best first. Each makes the unit that a compile from scratch makes, and each can be switched off.
//
// In:      a name; for explain(), what a compile noted of each tier.
// Out:     the tier; text for developers: which tiers a unit took, and why not the better ones.
// Owns:    nothing; values.
// Threads: pure functions.
// Fails:   never; tier_named returns nothing for an unknown word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

enum class Tier : uint8_t {
  UpToDate,          // not compiled: the unit emits nothing of the text that changed (unaffected.h)
  Functions,         // on one of the next: functions whose text is unchanged come from the last compile (reuse.h)
  ExtendedPreamble,  // all text before the edited function is precompiled (extended_preamble.h)
  Preamble,          // the includes of the file are precompiled
  LibraryHeaders,    // the headers of the C++ library are precompiled, for all files with the same flags
  Scratch,           // the whole text is read
};
inline constexpr std::string_view kTierNames[] = {"up-to-date", "functions",       "extended-preamble",
                                                  "preamble",   "library-headers", "scratch"};
std::string_view name_of(Tier tier);
std::optional<Tier> tier_named(std::string_view name);

class Tiers {  // those that may be used; scratch always
 public:
  bool on(Tier tier) const { return (off_ >> static_cast<unsigned>(tier) & 1) == 0; }
  void switch_off(Tier tier) { off_ |= 1u << static_cast<unsigned>(tier); }
  static Tiers scratch_only();
  bool operator==(const Tiers&) const = default;

 private:
  uint32_t off_ = 0;
};

struct TierNote {
  Tier tier = Tier::Scratch;
  std::string why_not;  // empty: it was used
  bool operator==(const TierNote&) const = default;
};

// "preamble, functions (31 reused)", then a line for each tier that was not used: "  not up-to-date: ...".
std::string explain(const std::vector<TierNote>& notes, size_t functions_reused);

}  // namespace heddle::frontend
