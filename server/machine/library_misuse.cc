// Why libstdc++ ends the program or throws: what the program did wrong with one of its synchronisation objects.
#include "server/machine/exceptions.h"

namespace heddle::machine {
namespace {

struct Known {
  std::string_view begin, end;  // of a link name
  FaultKind kind;
  std::string_view message;
};

constexpr Known kKnown[] = {
    {"_ZNSt6threadD", "Ev", FaultKind::ThreadMisuse, "destroys a std::thread that is joinable"},
    {"_ZNSt6threadaSEOS_", "", FaultKind::ThreadMisuse, "assigns to a std::thread that is joinable"},
    {"_ZNSt6thread4joinEv", "", FaultKind::ThreadMisuse, "joins a std::thread that is not joinable"},
    {"_ZNSt6thread6detachEv", "", FaultKind::ThreadMisuse, "detaches a std::thread that is not joinable"},
    {"_ZNSt11unique_lockI", "E6unlockEv", FaultKind::LockMisuse, "unlocks a std::unique_lock that owns no mutex"},
    {"_ZNSt11unique_lockI", "E4lockEv", FaultKind::LockMisuse,
     "locks a std::unique_lock that owns its mutex already or has none"},
    {"_ZNSt11shared_lockI", "E6unlockEv", FaultKind::LockMisuse, "unlocks a std::shared_lock that owns no mutex"},
    {"_ZNSt11shared_lockI", "E4lockEv", FaultKind::LockMisuse,
     "locks a std::shared_lock that owns its mutex already or has none"},
};

}  // namespace

std::optional<Misuse> misuse_of_library(const Machine::State& state, const Thread& t) {
  for (const uint32_t pc : state.stack_of(t)) {
    const program::FunctionId function = state.image_->address(pc).function;
    if (!function.valid()) continue;
    const std::string name = state.image_->program->stable_name(function);
    for (const Known& known : kKnown)
      if (name.starts_with(known.begin) && name.ends_with(known.end))
        return Misuse{known.kind, std::string(known.message)};
    if (state.image_->program->function(function).in_project) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heddle::machine
