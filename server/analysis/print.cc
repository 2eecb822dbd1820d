#include <algorithm>

#include "server/analysis/analysis.h"
#include "server/program/print.h"

namespace heddle::analysis {
namespace {

std::string place_of(const Facts& facts, CodeAddress at) {
  const program::Place& place = facts.program->place(at);
  return facts.program->function(at.function).display_name + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

std::string names(const Facts& facts, std::span<const ObjectId> objects) {
  std::string text;
  for (ObjectId o : objects) text += (text.empty() ? "" : ", ") + facts.objects[o.value].name;
  return text;
}

}  // namespace

std::string_view name_of(InteractionKind kind) {
  switch (kind) {
    case InteractionKind::Read: return "read";
    case InteractionKind::Write: return "write";
    case InteractionKind::Update: return "update";
    case InteractionKind::AtomicRead: return "atomic read";
    case InteractionKind::AtomicWrite: return "atomic write";
    case InteractionKind::AtomicUpdate: return "atomic update";
    case InteractionKind::Fence: return "fence";
    case InteractionKind::Lock: return "lock";
    case InteractionKind::TryLock: return "try to lock";
    case InteractionKind::Unlock: return "unlock";
    case InteractionKind::ReadLock: return "read lock";
    case InteractionKind::Wait: return "wait";
    case InteractionKind::Signal: return "signal";
    case InteractionKind::SemaphoreWait: return "semaphore wait";
    case InteractionKind::SemaphorePost: return "semaphore post";
    case InteractionKind::Barrier: return "barrier";
    case InteractionKind::Create: return "thread creation";
    case InteractionKind::Join: return "join";
    case InteractionKind::Once: return "once";
    case InteractionKind::Initialise: return "initialisation";
    case InteractionKind::Destroy: return "destruction";
    case InteractionKind::Free: return "free";
    case InteractionKind::Exit: return "exit";
  }
  return "?";
}

std::string print(const Facts& facts) {
  std::string text;
  for (const Role& role : facts.roles) {
    text += "role " + role.name + (role.multiplicity == Multiplicity::Many ? " many" : " one");
    for (CodeAddress at : role.created_at) text += " created at " + place_of(facts, at);
    text += ":";
    for (FunctionId f : role.reachable) text += " " + facts.program->function(f).display_name;
    text += "\n";
  }
  for (const Object& object : facts.objects)
    if (object.shared) text += "shared " + object.name + "\n";
  for (const Interaction& interaction : facts.interactions) {
    text += place_of(facts, interaction.at) + ": " + std::string(name_of(interaction.kind));
    if (!interaction.objects.empty()) text += " " + names(facts, interaction.objects);
    if (!interaction.mutexes.empty()) text += " with " + names(facts, interaction.mutexes);
    text += "\n";
  }
  for (const std::string& note : facts.notes) text += "note: " + note + "\n";
  return text;
}

std::string print_points_to(const Facts& facts) {
  std::vector<std::pair<uint64_t, const std::vector<ObjectId>*>> sorted;
  for (const auto& [key, objects] : facts.operand_pointees) sorted.push_back({key, &objects});
  std::sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::string text;
  for (const auto& [key, objects] : sorted) {
    const CodeAddress at = CodeAddress::from_bits(key / 16);
    text += place_of(facts, at) + " #" + std::to_string(at.index) + "." + std::to_string(key % 16) + ": {" +
            names(facts, *objects) + "}\n";
  }
  return text;
}

}  // namespace heddle::analysis
