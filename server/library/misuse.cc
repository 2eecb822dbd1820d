#include "server/library/misuse.h"

#include <algorithm>
#include <iterator>

namespace heddle::library {

using enum MisuseKind;

static constexpr MisuseRule kRules[] = {
    {"_ZNSt6threadD", "Ev", Thread, "destroys a std::thread that is joinable"},
    {"_ZNSt6threadaSEOS_", "", Thread, "assigns to a std::thread that is joinable"},
    {"_ZNSt6thread4joinEv", "", Thread, "joins a std::thread that is not joinable, or the thread that runs"},
    {"_ZNSt6thread6detachEv", "", Thread, "detaches a std::thread that is not joinable"},
    {"_ZNSt11unique_lockI", "E6unlockEv", Lock, "unlocks a std::unique_lock that owns no mutex"},
    {"_ZNSt11unique_lockI", "E4lockEv", Lock, "locks a std::unique_lock that owns its mutex already or has none"},
    {"_ZNSt11shared_lockI", "E6unlockEv", Lock, "unlocks a std::shared_lock that owns no mutex"},
    {"_ZNSt11shared_lockI", "E4lockEv", Lock, "locks a std::shared_lock that owns its mutex already or has none"},
};

const MisuseRule* find_misuse(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kRules), std::end(kRules), [&](const MisuseRule& rule) {
    return name.starts_with(rule.begin) && name.ends_with(rule.end);
  });
  return found == std::end(kRules) ? nullptr : found;
}

HoldMode given_back_by(std::string_view name) {
  if (!name.starts_with("_ZNSt") || name.find("shared_") == name.npos) return HoldMode::Any;
  if (name.ends_with("13unlock_sharedEv")) return HoldMode::Shared;
  return name.ends_with("_mutex6unlockEv") || name.ends_with("_pthread6unlockEv") ? HoldMode::Exclusive : HoldMode::Any;
}

}  // namespace heddle::library
