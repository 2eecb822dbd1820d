#include "server/frontend/reuse/tiers.h"

#include <algorithm>
#include <iterator>

namespace heddle::frontend {

std::string_view name_of(Tier tier) { return kTierNames[static_cast<size_t>(tier)]; }

std::optional<Tier> tier_named(std::string_view name) {
  const auto* const found = std::find(std::begin(kTierNames), std::end(kTierNames), name);
  if (found == std::end(kTierNames)) return std::nullopt;
  return static_cast<Tier>(found - std::begin(kTierNames));
}

Tiers Tiers::scratch_only() {
  Tiers tiers;
  for (const Tier tier :
       {Tier::UpToDate, Tier::Functions, Tier::ExtendedPreamble, Tier::Preamble, Tier::LibraryHeaders})
    tiers.switch_off(tier);
  return tiers;
}

std::string explain(const std::vector<TierNote>& notes, size_t functions_reused) {
  std::string used, unused;
  for (const TierNote& note : notes) {
    const std::string name(name_of(note.tier));
    if (!note.why_not.empty()) {
      unused += "  not " + name + ": " + note.why_not + "\n";
      continue;
    }
    used += (used.empty() ? "" : ", ") + name;
    if (note.tier == Tier::Functions) used += " (" + std::to_string(functions_reused) + " reused)";
  }
  return used + "\n" + unused;
}

}  // namespace heddle::frontend
