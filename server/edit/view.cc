#include "server/edit/view.h"

#include <algorithm>

#include "server/analysis/throws.h"
#include "server/edit/hazards.h"
#include "server/program/operands.h"

namespace heddle::edit {

bool meet(const std::vector<ObjectId>& x, const std::vector<ObjectId>& y) {
  for (auto a = x.begin(), b = y.begin(); a != x.end() && b != y.end();) {
    if (*a == *b) return true;
    if (*a < *b)
      ++a;
    else
      ++b;
  }
  return false;
}

void unite(std::vector<ObjectId>& into, const std::vector<ObjectId>& from) {
  if (from.empty()) return;
  std::vector<ObjectId> all;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(all));
  into = std::move(all);
}

Summaries::Summaries(const Facts& facts) : facts_(facts) {
  const uint32_t count = facts.program->function_count();
  writes_.resize(count);
  touches_.resize(count);
  interacts_.resize(count);
  std::vector<std::vector<FunctionId>> calls(count);
  for (const auto& [at, targets] : facts.callees)
    calls[at.function.value].insert(calls[at.function.value].end(), targets.begin(), targets.end());
  for (const Interaction& interaction : facts.interactions) {
    interacts_[interaction.at.function.value] = true;
    unite(touches_[interaction.at.function.value], interaction.objects);
    std::vector<ObjectId> mutexes = interaction.mutexes;
    std::sort(mutexes.begin(), mutexes.end());
    unite(touches_[interaction.at.function.value], mutexes);
  }
  for (uint32_t f = 0; f < count; ++f) {
    std::sort(calls[f].begin(), calls[f].end());
    calls[f].erase(std::unique(calls[f].begin(), calls[f].end()), calls[f].end());
    if (facts.roles_of[f].empty()) continue;
    const Function& function = facts.program->function(FunctionId(f));
    for (uint32_t i = 0; i < function.code.size(); ++i) {
      const Opcode op = function.code[i].op;
      if (op == Opcode::Trap) interacts_[f] = true;
      if (op == Opcode::Call)
        if (const auto* row = analysis::library_callee(*facts.program, FunctionId(f), function.code[i]);
            row && row->fails)
          interacts_[f] = true;
      if (op == Opcode::Store || op == Opcode::MemoryCopy || op == Opcode::MemorySet || op == Opcode::Call)
        unite(writes_[f], analysis::memory_effects(facts, {FunctionId(f), i}).writes);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = count; f-- > 0;)
      for (FunctionId g : calls[f]) {
        const size_t before = writes_[f].size() + touches_[f].size() + interacts_[f];
        unite(writes_[f], writes_[g.value]);
        unite(touches_[f], touches_[g.value]);
        if (interacts_[g.value]) interacts_[f] = true;
        changed |= before != writes_[f].size() + touches_[f].size() + interacts_[f];
      }
  }
}

std::span<const FunctionId> Summaries::callees(CodeAddress at) const {
  auto found = facts_.callees.find(at);
  return found == facts_.callees.end() ? std::span<const FunctionId>() : std::span<const FunctionId>(found->second);
}

bool Summaries::call_interacts(CodeAddress at) const {
  const auto targets = callees(at);
  return std::any_of(targets.begin(), targets.end(), [&](FunctionId f) { return interacts(f); });
}

std::vector<ObjectId> Summaries::call_writes(CodeAddress at) const {
  std::vector<ObjectId> result;
  for (FunctionId f : callees(at)) unite(result, writes(f));
  return result;
}

std::vector<ObjectId> Summaries::call_touches(CodeAddress at) const {
  std::vector<ObjectId> result;
  for (FunctionId f : callees(at)) unite(result, touches(f));
  return result;
}

bool Summaries::leaves_project(CodeAddress at) const {
  const auto targets = callees(at);
  return std::any_of(targets.begin(), targets.end(),
                     [&](FunctionId f) { return !facts_.program->function(f).in_project; });
}

FunctionView::FunctionView(const Facts& facts, const Summaries& summaries, FunctionId id)
    : id_(id),
      facts_(&facts),
      function_(&facts.program->function(id)),
      graph_(analysis::make_graph(*facts.program, id)) {
  collect(facts, summaries);
  connect();
}

void FunctionView::collect(const Facts& facts, const Summaries& summaries) {
  const size_t size = function_->code.size();
  operands_.resize(size);
  writers_.resize(size);
  interactions_.resize(size);
  memory_.resize(size);
  merges_.resize(size);
  fails_.resize(size);
  effect_.resize(size);
  source_.resize(size);

  const analysis::Throws& thrown = analysis::Throws::of(*facts.program);
  std::vector<uint32_t> stores;
  for (uint32_t i = 0; i < size; ++i) {
    if (!reachable(i)) continue;
    const CodeAddress at{id_, i};
    const Instruction& instruction = function_->code[i];
    const bool call = program::is_call(instruction.op);
    const analysis::LibraryFunction* row = analysis::library_callee(*facts.program, id_, instruction);
    interactions_[i] = facts.interaction(at);
    memory_[i] = analysis::memory_effects(facts, at);
    fails_[i] = instruction.op == Opcode::Trap || instruction.op == Opcode::Unsupported || (row && row->fails) ||
                thrown.raises(id_, instruction);  // perhaps nobody catches it
    if (call && !row) unite(memory_[i].writes, summaries.call_writes(at));
    const bool stores_here = !memory_[i].writes.empty() || instruction.op == Opcode::Store ||
                             instruction.op == Opcode::MemoryCopy || instruction.op == Opcode::MemorySet;
    effect_[i] = interactions_[i] || call || stores_here || fails_[i] || instruction.op == Opcode::Return;
    source_[i] = call || (interactions_[i] && instruction.op != Opcode::Store);
    if (!memory_[i].writes.empty()) stores.push_back(i);
    if (row && row->fails) continue;  // the text and line of a check are no operands of it

    if (call) {
      if (instruction.op == Opcode::CallIndirect) operands_[i].push_back({instruction.a, 0xffffffffu, {}});
      const program::CallSite& site = function_->calls[static_cast<size_t>(instruction.imm)];
      for (uint32_t n = 0; n < site.arguments.size(); ++n)
        for (uint32_t k = 0; k < site.arguments[n].slots; ++k)
          operands_[i].push_back({site.arguments[n].slot + k, n, {}});
    } else {
      program::for_each_use(*function_, instruction, [&](Slot first, uint32_t count) {
        for (uint32_t k = 0; k < count; ++k) operands_[i].push_back({first + k, 0xffffffffu, {}});
      });
    }
    for (Operand& operand : operands_[i]) {
      operand.definitions = graph_.definitions(i, operand.slot);
      if (operand.definitions.size() > 1)
        for (uint32_t d : operand.definitions)
          if (d != CodeGraph::kParameter) merges_[d] = 1;
    }
  }
  // Values that come out of private memory: the stores to it, in code order. Shared memory is not followed: what is
  // written there is an interaction of its own.
  for (uint32_t i = 0; i < size; ++i) {
    if (memory_[i].reads.empty()) continue;
    std::vector<ObjectId> own;
    for (ObjectId o : memory_[i].reads)
      if (!facts.objects[o.value].shared) own.push_back(o);
    if (own.empty()) continue;
    for (uint32_t s : stores)
      if (s != i && meet(memory_[s].writes, own)) writers_[i].push_back({s, s < i});
  }
}

Hazard FunctionView::hazard(uint32_t index) const {
  if (hazards_.empty()) hazards_ = find_hazards(*facts_, *this);
  return hazards_[index];
}

bool FunctionView::decides_hazard(uint32_t index, const Operand& operand) const {
  const Instruction& i = function_->code[index];
  switch (i.op) {
    case Opcode::Load:
    case Opcode::Store: return operand.slot == i.a;  // not the value that is stored
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem: return operand.slot == i.b;
    default: return true;
  }
}

void FunctionView::connect() {
  const size_t size = function_->code.size();
  users_.resize(size);
  controlled_.resize(size);
  parameter_users_.resize(function_->parameter_slots);
  for (uint32_t i = 0; i < size; ++i) {
    if (!reachable(i)) continue;
    for (const Operand& operand : operands_[i])
      for (uint32_t d : operand.definitions) {
        if (d != CodeGraph::kParameter)
          users_[d].push_back(i);
        else if (operand.slot < parameter_users_.size())
          parameter_users_[operand.slot].push_back(i);
      }
    for (const Writer& writer : writers_[i]) users_[writer.index].push_back(i);
    for (const CodeGraph::Control& control : controls(i)) controlled_[control.branch].push_back(i);
  }
  for (auto* lists : {&users_, &parameter_users_, &controlled_})
    for (auto& list : *lists) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
}

}  // namespace heddle::edit
