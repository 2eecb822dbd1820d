#include "server/analysis/library.h"

#include <iterator>

#include "server/program/select.h"

namespace heddle::analysis {

library::HiddenStates shared_states(const Facts& facts) {
  library::HiddenStates result = 0;
  for (const Object& object : facts.objects) {
    if (object.kind != ObjectKind::Unknown || !object.shared) continue;
    for (const library::SharedState& state : library::kSharedStates)
      if (object.name == state.name) result |= state.states;
  }
  return result;
}

library::HiddenStates all_shared_states() {
  library::HiddenStates result = 0;
  for (const library::SharedState& state : library::kSharedStates) result |= state.states;
  return result;
}

std::vector<std::string> shared_thread_states(const Facts& facts) {
  std::vector<std::string> names;
  for (const Object& object : facts.objects)
    if (object.kind == ObjectKind::ThreadLocal && !object.global.valid() && object.shared) names.push_back(object.name);
  return names;
}

bool counts_variables(const program::Program& program, FunctionId function) {
  return program.function(function).in_project ||
         program.unit(program.unit_of(function)).path == program::kLibraryState;
}

library::Variables shared_variables(const Facts& facts) {
  library::Variables result = 0;
  for (const Object& object : facts.objects) {
    if (object.kind != ObjectKind::Unknown || !object.shared) continue;
    for (size_t n = 0; n < std::size(library::kVariables); ++n)
      if (object.name == library::kVariables[n].name) result |= static_cast<library::Variables>(1u << n);
  }
  return result;
}

}  // namespace heddle::analysis
