#include "server/edit/surely_held.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace heddle::edit {

using analysis::InteractionKind;

namespace {

void intersect(std::set<ObjectId>& into, const std::set<ObjectId>& with) {
  std::erase_if(into, [&](ObjectId lock) { return with.count(lock) == 0; });
}

}  // namespace

SurelyHeld::SurelyHeld(const Facts& facts) : facts_(facts), releases_(facts.program->function_count()) {
  find_releases();
  for (const analysis::Role& role : facts.roles) meet_entry(role.entry, {});
  while (!work_.empty()) {
    const FunctionId f = *work_.begin();
    work_.erase(work_.begin());
    walk(f, entries_.at(f));
  }
}

void SurelyHeld::find_releases() {
  for (const Interaction& interaction : facts_.interactions) {
    if (interaction.kind != InteractionKind::Unlock) continue;
    releases_[interaction.at.function.value].insert(interaction.objects.begin(), interaction.objects.end());
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [call, callees] : facts_.callees) {
      Locks& own = releases_[call.function.value];
      const size_t before = own.size();
      for (const FunctionId callee : callees) {
        const Locks theirs = releases_[callee.value];
        own.insert(theirs.begin(), theirs.end());
      }
      grew = grew || own.size() != before;
    }
  }
}

bool SurelyHeld::meet_entry(FunctionId f, const Locks& held) {
  const auto [entry, fresh] = entries_.try_emplace(f, held);
  const size_t before = entry->second.size();
  intersect(entry->second, held);
  const bool changed = fresh || entry->second.size() != before;
  if (changed) work_.insert(f);
  return changed;
}

void SurelyHeld::step(CodeAddress at, Locks& held) const {
  const Interaction* interaction = facts_.interaction(at);
  if (interaction && (interaction->kind == InteractionKind::Lock || interaction->kind == InteractionKind::ReadLock)) {
    if (interaction->objects.size() == 1) held.insert(interaction->objects[0]);
  } else if (interaction && interaction->kind == InteractionKind::Unlock) {
    for (const ObjectId lock : interaction->objects) held.erase(lock);
  }
  const auto callees = facts_.callees.find(at);
  if (callees == facts_.callees.end()) return;
  for (const FunctionId f : callees->second) {
    for (const ObjectId lock : releases_[f.value]) held.erase(lock);
  }
}

void SurelyHeld::walk(FunctionId f, const Locks& entry) {
  const CodeGraph graph = analysis::make_graph(*facts_.program, f);
  const auto& blocks = graph.blocks();
  if (blocks.empty()) return;
  std::vector<std::optional<Locks>> at_entry(blocks.size());
  at_entry[0] = entry;
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    Locks held = *at_entry[b];
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      const CodeAddress at{f, i};
      if (facts_.interaction(at)) held_[at] = held;  // the last walk of a block has the least
      if (const auto callees = facts_.callees.find(at); callees != facts_.callees.end()) {
        for (const FunctionId callee : callees->second) meet_entry(callee, held);
      }
      step(at, held);
    }
    for (const uint32_t s : blocks[b].successors) {
      if (!at_entry[s]) {
        at_entry[s] = held;
        work.push_back(s);
        continue;
      }
      const size_t before = at_entry[s]->size();
      intersect(*at_entry[s], held);
      if (at_entry[s]->size() != before) work.push_back(s);
    }
  }
}

std::vector<ObjectId> SurelyHeld::at(CodeAddress interaction) const {
  const auto found = held_.find(interaction);
  if (found == held_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace heddle::edit
