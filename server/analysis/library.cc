#include "server/analysis/library.h"

#include <algorithm>
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

bool may_interrupt(const library::Function& row) {
  return row.meaning == library::Meaning::RunsHandlers && row.interaction == InteractionKind::SemaphorePost;
}

bool may_interrupt(const program::Program& program, const Facts* facts) {
  bool expires = false, handles = false;
  for (const program::External& external : program.externals()) {
    const library::Function* const row = library::find_function(external.name);
    if (row == nullptr) continue;
    handles |= row->meaning == library::Meaning::SetsHandler || row->meaning == library::Meaning::SetsAction;
    if (!may_interrupt(*row)) continue;
    const bool of_a_timer = row->name.starts_with(library::kModelOf);
    if (!of_a_timer) return true;
    expires = true;
  }
  if (facts != nullptr)
    return std::any_of(facts->roles.begin(), facts->roles.end(), [](const Role& role) { return role.handles_signals; });
  return expires && handles;
}

std::vector<CodeAddress> accesses_shared_with_handlers(const Facts& facts) {
  std::vector<bool> handled(facts.objects.size());
  for (const Role& role : facts.roles) {
    if (!role.handles_signals) continue;
    for (const FunctionId function : role.reachable)
      for (const Interaction& interaction : facts.interactions_of(function))
        for (const ObjectId object : interaction.objects) handled[object.value] = true;
  }
  std::vector<CodeAddress> accesses;
  for (const Interaction& interaction : facts.interactions) {
    const bool plain = interaction.kind == InteractionKind::Read || interaction.kind == InteractionKind::Write ||
                       interaction.kind == InteractionKind::Update;
    if (plain && std::any_of(interaction.objects.begin(), interaction.objects.end(),
                             [&](ObjectId object) { return handled[object.value]; }))
      accesses.push_back(interaction.at);
  }
  return accesses;
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
