// Why libstdc++ ends the program or throws: what the program did wrong with one of its synchronisation objects.
#include "server/library/misuse.h"
#include "server/machine/exceptions/exceptions.h"

namespace heddle::machine {
std::optional<Misuse> misuse_of_library(const Machine::State& state, const Thread& t) {
  for (const uint32_t pc : state.stack_of(t)) {
    const program::FunctionId function = state.image_->address(pc).function;
    if (!function.valid()) continue;
    const std::string name = state.image_->program->stable_name(function);
    if (const library::MisuseRule* const rule = library::find_misuse(name))
      return Misuse{rule->kind == library::MisuseKind::Thread ? FaultKind::ThreadMisuse : FaultKind::LockMisuse,
                    std::string(rule->message)};
    if (state.image_->program->function(function).in_project) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace heddle::machine
