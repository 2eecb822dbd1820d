#include "server/library/process_state.h"

#include <algorithm>
#include <iterator>

#include "server/library/function.h"

namespace heddle::library {
namespace {

constexpr HiddenStates kProcess =
    kSignals | kRandom | kEnvironment | kNames | kDescriptors | kArithmetic | kLocale | kOther | kExitHandlers;

std::string_view lowest(HiddenStates states) {
  return states == 0 ? std::string_view() : name_of_hidden(states & (~states + 1));
}

// Members of the C++ library have no rows: their own code calls what has.
std::string_view changed_by_cxx(std::string_view name) {
  if (name == "_ZNSt6locale6globalERKS_") return name_of_hidden(kLocale);
  if (name.starts_with("_ZNSt8ios_base15sync_with_stdio")) return name_of_hidden(kDescriptors);
  constexpr std::string_view kFileSystem = "_ZNSt10filesystem";
  constexpr std::string_view kChanging[] = {
      "12current_pathERKNS", "4copy",     "9copy_file", "11permissions", "14create_", "16create_",
      "18create_",           "24create_", "6remove",    "10remove_all",  "6rename",   "11resize_file"};
  if (!name.starts_with(kFileSystem)) return {};
  const std::string_view member = name.substr(kFileSystem.size());
  const bool changes = std::any_of(std::begin(kChanging), std::end(kChanging),
                                   [&](std::string_view beginning) { return member.starts_with(beginning); });
  return changes ? name_of_hidden(kNames) : std::string_view();
}

std::string_view changed_by_meaning(Meaning meaning) {
  switch (meaning) {
    case Meaning::SetsHandler:
    case Meaning::SetsAction:
    case Meaning::SetsSignalStack: return name_of_hidden(kSignals);
    case Meaning::PutsEnvironment: return name_of_hidden(kEnvironment);
    case Meaning::SetsTerminate:
    case Meaning::RegistersExit:
    case Meaning::RegistersQuickExit: return name_of_hidden(kExitHandlers);
    default: return {};
  }
}

}  // namespace

std::string_view changed_for_process(std::string_view name) {
  const Function* const row = find_row(name);
  if (row == nullptr) return changed_by_cxx(name);
  HiddenStates states = row->hidden.writes & kProcess;
  if ((row->shared.changes & kFiles) == 0) states &= ~kFiles;  // access() takes a descriptor and gives it back
  states |= row->shared.changes & (kExitHandlers | kRandom | kSignals);
  const std::string_view changed = lowest(states);
  return changed.empty() ? changed_by_meaning(row->meaning) : changed;
}

}  // namespace heddle::library
