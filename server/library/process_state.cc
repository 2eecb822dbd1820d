#include "server/library/process_state.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "server/library/function.h"

namespace heddle::library {
namespace {

constexpr HiddenStates kProcess =
    kSignals | kRandom | kEnvironment | kNames | kDescriptors | kArithmetic | kLocale | kOther | kExitHandlers;

constexpr std::string_view kCxxHandlersName = "the handlers of C++";

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

// Guest text (server/frontend/support) has rows that say where it is, not what it does.
std::string_view changed_by_text(std::string_view name) {
  struct Effect {
    HiddenStates state;
    std::string_view functions;  // a space around each
  };
  static constexpr Effect kEffects[] = {
      {kRandom, " srand48 seed48 lcong48 drand48 lrand48 mrand48 initstate setstate "},
      {kNames,
       " mkstemp64 mkostemp mkostemp64 mkdtemp mkdirat openat openat64 renameat unlinkat tmpnam mq_open mq_unlink "
       "bind "},
      {kContents, " fallocate ftruncate64 posix_fallocate posix_fallocate64 fchown writev mq_send mq_timedsend "},
      {kDescriptors,
       " memfd_create pipe2 eventfd socket socketpair accept accept4 connect listen ioctl setsockopt epoll_create "
       "epoll_create1 timerfd_create timerfd_settime mq_close mq_setattr "},
      {kOther,
       " hcreate hsearch hdestroy setrlimit64 setgid setpgid setsid setuid prctl mlockall munlockall "
       "uselocale "}};
  const std::string wanted = ' ' + std::string(name) + ' ';
  for (const Effect& effect : kEffects)
    if (effect.functions.find(wanted) != std::string_view::npos) return name_of_hidden(effect.state);
  return {};
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
  if (const std::string_view changed = lowest(states); !changed.empty()) return changed;
  if ((row->shared.changes & kCxxHandlers) != 0) return kCxxHandlersName;
  const std::string_view changed = changed_by_text(name);
  return changed.empty() ? changed_by_meaning(row->meaning) : changed;
}

std::string_view changed_by_writing(std::string_view symbol) {
  const std::string_view variable = variable_of(symbol);
  if (variable.empty()) return {};
  if (variable == "environ") return name_of_hidden(kEnvironment);
  return name_of_hidden(variable.starts_with("std") ? kDescriptors : kOther);
}

}  // namespace heddle::library
