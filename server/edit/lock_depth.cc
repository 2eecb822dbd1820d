#include "server/edit/lock_depth.h"

#include <algorithm>

namespace heddle::edit {

using analysis::InteractionKind;

LockDepth::LockDepth(const Facts& facts)
    : facts_(facts), leaves_(facts.program->function_count()), entries_(facts.program->function_count()) {
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t n = 0; n < facts.program->function_count(); ++n) {
      if (facts.roles_of[n].empty()) continue;
      const Depth leaves = walk(FunctionId{n}, 0, false);
      grew = grew || leaves > leaves_[n];
      leaves_[n] = std::max(leaves_[n], leaves);
    }
  }
  for (const analysis::Role& role : facts.roles) enter(role.entry, 0);
  while (!work_.empty()) {
    const FunctionId f = work_.back();
    work_.pop_back();
    walk(f, *entries_[f.value], true);
  }
}

void LockDepth::enter(FunctionId f, int depth) {
  if (entries_[f.value] >= Depth(depth)) return;
  entries_[f.value] = depth;
  work_.push_back(f);
}

LockDepth::Depth LockDepth::after(CodeAddress at, int depth) const {
  if (const Interaction* interaction = facts_.interaction(at)) {
    const InteractionKind kind = interaction->kind;
    if (kind == InteractionKind::Lock || kind == InteractionKind::ReadLock || kind == InteractionKind::TryLock) ++depth;
    if (kind == InteractionKind::Unlock) --depth;
  }
  if (const auto callees = facts_.callees.find(at); callees != facts_.callees.end() && !callees->second.empty()) {
    Depth most;
    for (const FunctionId f : callees->second) most = std::max(most, leaves_[f.value]);
    if (!most) return std::nullopt;
    depth += *most;
  }
  return std::clamp(depth, -kLocksMany, kLocksMany);
}

LockDepth::Depth LockDepth::walk(FunctionId f, int entry, bool remember) {
  const CodeGraph graph = analysis::make_graph(*facts_.program, f);
  const auto& blocks = graph.blocks();
  if (blocks.empty()) return entry;
  const program::Function& function = facts_.program->function(f);
  Depth at_return;
  std::vector<Depth> at_entry(blocks.size());
  at_entry[0] = entry;
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    Depth held = at_entry[b];
    for (uint32_t i = blocks[b].begin; held && i < blocks[b].end; ++i) {
      const CodeAddress at{f, i};
      if (remember && facts_.interaction(at)) {
        const auto [known, fresh] = held_.try_emplace(at, *held);
        if (!fresh) known->second = std::max(known->second, *held);
      }
      if (const auto callees = facts_.callees.find(at); remember && callees != facts_.callees.end())
        for (const FunctionId callee : callees->second) enter(callee, *held);
      held = after(at, *held);
      if (held && function.code[i].op == program::Opcode::Return) at_return = std::max(at_return, held);
    }
    if (!held) continue;
    for (const uint32_t s : blocks[b].successors) {
      if (at_entry[s] >= held) continue;
      at_entry[s] = held;
      work.push_back(s);
    }
  }
  return at_return;
}

int LockDepth::at(CodeAddress interaction) const {
  const auto found = held_.find(interaction);
  return found == held_.end() ? kLocksMany : std::max(0, found->second);
}

}  // namespace heddle::edit
