#include "server/edit/influence.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "server/analysis/components.h"
#include "server/analysis/throws.h"
#include "server/edit/hazards.h"
#include "server/edit/hidden.h"
#include "server/program/operands.h"

namespace heddle::edit {

using analysis::InteractionKind;

Influence::Influence(const Facts& facts, Views& views) : facts_(facts), views_(views) {
  parent_.resize(facts.objects.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  number();
  for (FunctionId f : functions_) connect(f);
  for (FunctionId f : functions_) connect_boundaries(f);
  solve();
  group();
}

void Influence::number() {
  const uint32_t count = facts_.program->function_count();
  base_.assign(count, 0);
  parameters_.assign(count, 0);
  returns_.assign(count, 0);
  entry_.assign(count, 0);
  weak_.resize(count);
  for (uint32_t f = 0; f < count; ++f) {
    if (facts_.roles_of[f].empty()) continue;
    functions_.push_back(FunctionId(f));
    const program::Function& function = facts_.program->function(FunctionId(f));
    auto take = [&](size_t n) {
      const uint32_t first = static_cast<uint32_t>(edges_.size());
      edges_.resize(edges_.size() + n);
      return first;
    };
    base_[f] = take(function.code.size());
    parameters_[f] = take(function.parameter_slots);
    returns_[f] = take(1);
    entry_[f] = take(1);
  }
  object_node_.resize(facts_.objects.size());
  for (size_t o = 0; o < object_node_.size(); ++o) object_node_[o] = add_node();
  for (uint32_t k = 0; k < library::kHiddenStates; ++k) hidden_node_.push_back(add_node());
}

void Influence::own(uint32_t node, const std::vector<ObjectId>& objects) {
  if (!objects.empty()) owned_.push_back({node, objects});
}

void Influence::connect(FunctionId f) {
  const FunctionView& view = views_.of(f);
  const auto& blocks = view.graph().blocks();
  // Loops that shared values may keep going decide what comes after them.
  weak_[f.value].resize(blocks.size());
  for (uint32_t b = 0; b < blocks.size(); ++b) weak_[f.value][b] = add_node();
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    if (!blocks[b].reachable) continue;
    for (uint32_t p : blocks[b].predecessors) {
      edge(weak_[f.value][b], weak_[f.value][p]);
      if (view.graph().leaves_loop(p)) edge(weak_[f.value][b], node(f, blocks[p].end - 1));
    }
  }
  const analysis::Throws& thrown = analysis::Throws::of(*facts_.program);
  for (uint32_t i = 0; i < view.code().code.size(); ++i) {
    if (!view.reachable(i)) continue;
    connect_instruction(view, i, node(f, i));
    if (!thrown.may_throw(f, view.code().code[i])) continue;
    // What decides whether it throws decides what comes after it, here and in the callers.
    edge(weak_[f.value][view.graph().block_of(i)], node(f, i));
    edge(returns_[f.value], node(f, i));
  }
}

// What its value depends on; what decides that it runs is added where that matters.
void Influence::connect_instruction(const FunctionView& view, uint32_t index, uint32_t n) {
  const FunctionId f = view.id();
  const Instruction& i = view.code().code[index];
  const CodeAddress at{f, index};
  auto controls = [&](uint32_t of, uint32_t to) {
    for (const CodeGraph::Control& control : view.controls(of)) edge(to, node(f, control.branch));
  };
  const auto callees = facts_.callees.find(at);
  const bool ours = callees != facts_.callees.end() && !analysis::library_callee(*facts_.program, f, i);
  for (const Operand& operand : view.operands(index)) {
    if (ours && operand.argument != 0xffffffffu) continue;  // goes through the callee's parameters
    for (uint32_t d : operand.definitions) {
      if (d == CodeGraph::kParameter) {
        if (operand.slot < view.code().parameter_slots) edge(n, parameters_[f.value] + operand.slot);
        continue;
      }
      edge(n, node(f, d));
      if (operand.definitions.size() > 1) controls(d, n);
    }
  }
  if (callees != facts_.callees.end())
    for (FunctionId g : callees->second) edge(n, returns_[g.value]);
  if (view.graph().decides(index)) controls(index, n);
  if (const Interaction* interaction = view.interaction(index);
      interaction && i.op != Opcode::Store && i.op != Opcode::AtomicStore)
    own(n, interaction->objects);
  if (!program::is_call(i.op) || !ours)
    for (ObjectId o : view.memory(index).reads)
      if (!facts_.objects[o.value].shared) edge(n, object_node_[o.value]);
  if (!ours)
    for (ObjectId o : view.memory(index).writes)
      if (!facts_.objects[o.value].shared) {
        edge(object_node_[o.value], n);
        controls(index, object_node_[o.value]);
        edge(object_node_[o.value], entry_[f.value]);
      }
  if (const library::HiddenUse use = hidden_use_at(facts_, at); (use.reads | use.writes) != 0)
    for (uint32_t k = 0; k < library::kHiddenStates; ++k) {
      if (use.reads >> k & 1) edge(n, hidden_node_[k]);
      if (!(use.writes >> k & 1)) continue;
      edge(hidden_node_[k], n);
      controls(index, hidden_node_[k]);
      edge(hidden_node_[k], entry_[f.value]);
    }
  if (i.op == Opcode::Return) {
    edge(returns_[f.value], n);
    controls(index, returns_[f.value]);
  }
}

// Arguments to parameters, and whether the function runs at all.
void Influence::connect_boundaries(FunctionId f) {
  // What no thread runs has no nodes.
  const auto runs = [&](FunctionId caller) { return !facts_.roles_of[caller.value].empty(); };
  auto called_from = [&](CodeAddress at) {
    if (!runs(at.function)) return;
    const FunctionView& view = views_.of(at.function);
    if (!view.reachable(at.index)) return;
    for (const CodeGraph::Control& control : view.controls(at.index))
      edge(entry_[f.value], node(at.function, control.branch));
    edge(entry_[f.value], entry_[at.function.value]);
    edge(entry_[f.value], weak_[at.function.value][view.graph().block_of(at.index)]);
    const bool library = analysis::library_callee(*facts_.program, at.function, view.code().code[at.index]);
    Slot slot = 0;
    for (const Operand& operand : view.operands(at.index)) {
      if (operand.argument == 0xffffffffu) {  // the pointer of an indirect call
        for (uint32_t d : operand.definitions)
          edge(entry_[f.value],
               d == CodeGraph::kParameter ? parameters_[at.function.value] + operand.slot : node(at.function, d));
        continue;
      }
      for (uint32_t d : operand.definitions) {
        const uint32_t from = d == CodeGraph::kParameter ? (operand.slot < view.code().parameter_slots
                                                                ? parameters_[at.function.value] + operand.slot
                                                                : entry_[at.function.value])
                                                         : node(at.function, d);
        const uint32_t slots = facts_.program->function(f).parameter_slots;
        if (library || slot >= slots) {  // callbacks and variadic arguments: any parameter, any value
          for (uint32_t p = 0; p < slots; ++p) edge(parameters_[f.value] + p, from);
          if (slot >= slots) edge(entry_[f.value], from);
        } else {
          edge(parameters_[f.value] + slot, from);
        }
      }
      ++slot;
    }
  };
  for (CodeAddress at : facts_.callers_of[f.value]) called_from(at);
  for (const analysis::Role& role : facts_.roles)
    if (role.entry == f) {
      for (CodeAddress at : role.created_at) called_from(at);
      // The result of a thread arrives at the thread that joins it.
      for (const Interaction& interaction : facts_.interactions)
        if (interaction.kind == InteractionKind::Join && &role != &facts_.roles[0] && runs(interaction.at.function))
          edge(node(interaction.at.function, interaction.at.index), returns_[f.value]);
    }
}

void Influence::solve() {
  std::unordered_map<uint32_t, ObjectSet> own;
  for (const auto& [n, objects] : owned_) own[n].insert_all(objects);
  set_of_.assign(edges_.size(), 0xffffffffu);
  sets_.emplace_back();  // the empty one
  std::vector<uint32_t> used;
  analysis::for_each_component(edges_, [&](const std::vector<uint32_t>& members) {
    used.clear();
    bool owns = false;
    for (uint32_t m : members) {
      owns |= own.contains(m);
      for (uint32_t d : edges_[m])
        if (set_of_[d] != 0xffffffffu && set_of_[d] != 0) used.push_back(set_of_[d]);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    uint32_t number = used.empty() ? 0 : used[0];  // most components see what one of theirs sees
    if (owns || used.size() > 1) {
      ObjectSet set;
      for (uint32_t u : used) set.unite(sets_[u]);
      for (uint32_t m : members)
        if (const auto found = own.find(m); found != own.end()) set.unite(found->second);
      number = static_cast<uint32_t>(sets_.size());
      sets_.push_back(std::move(set));
    }
    for (uint32_t m : members) set_of_[m] = number;
  });
}

// Of an operation: its operands, the branches that govern it, whether its function runs, the loops before it.
ObjectSet Influence::effect_set(const FunctionView& view, uint32_t index, bool stored_value) const {
  std::vector<uint32_t> used;
  const FunctionId f = view.id();
  auto add = [&](uint32_t n) {
    if (set_of_[n] != 0 && std::find(used.begin(), used.end(), set_of_[n]) == used.end()) used.push_back(set_of_[n]);
  };
  for (const Operand& operand : view.operands(index)) {
    if (!stored_value && view.code().code[index].op == Opcode::Store && &operand != &view.operands(index)[0]) break;
    for (uint32_t d : operand.definitions) {
      if (d != CodeGraph::kParameter)
        add(node(f, d));
      else if (operand.slot < view.code().parameter_slots)
        add(parameters_[f.value] + operand.slot);
      if (operand.definitions.size() > 1 && d != CodeGraph::kParameter)
        for (const CodeGraph::Control& control : view.controls(d)) add(node(f, control.branch));
    }
  }
  if (stored_value)
    for (ObjectId o : view.memory(index).reads)
      if (!facts_.objects[o.value].shared) add(object_node_[o.value]);
  for (const CodeGraph::Control& control : view.controls(index)) add(node(f, control.branch));
  add(entry_[f.value]);
  add(weak_[f.value][view.graph().block_of(index)]);
  ObjectSet set;
  for (uint32_t u : used) set.unite(sets_[u]);
  return set;
}

std::vector<ObjectId> Influence::deciding(CodeAddress at) const {
  if (facts_.roles_of[at.function.value].empty()) return {};
  const FunctionView& view = views_.of(at.function);
  return view.reachable(at.index) ? effect_set(view, at.index, true).list() : std::vector<ObjectId>();
}

void Influence::unite_groups(const ObjectSet& set, const std::vector<ObjectId>& objects) {
  uint32_t first = 0xffffffffu;
  set.for_each([&](ObjectId o) { first == 0xffffffffu ? void(first = o.value) : join(o.value, first); });
  if (first == 0xffffffffu) return;
  for (ObjectId o : objects) join(o.value, first);
}

// The whole process ends here, although other work could follow.
bool Influence::process_exit(const FunctionView& view, uint32_t index) const {
  const library::Function* row = analysis::library_callee(*facts_.program, view.id(), view.code().code[index]);
  return row && edit::ends_process(*row);
}

// Whether it runs at all: the branches that govern it, whether its function runs.
bool Influence::shared_value_decides(const FunctionView& view, uint32_t index) const {
  const FunctionId f = view.id();
  const auto& controls = view.controls(index);
  return set_of_[entry_[f.value]] != 0 ||
         std::any_of(controls.begin(), controls.end(),
                     [&](const CodeGraph::Control& control) { return set_of_[node(f, control.branch)] != 0; });
}

void Influence::group() {
  for (FunctionId f : functions_) {
    const FunctionView& view = views_.of(f);
    for (uint32_t i = 0; i < view.code().code.size(); ++i) {
      if (!view.reachable(i)) continue;
      const Opcode op = view.code().code[i].op;
      if (const Interaction* interaction = view.interaction(i)) {
        std::vector<ObjectId> objects = interaction->objects;
        objects.insert(objects.end(), interaction->mutexes.begin(), interaction->mutexes.end());
        unite_groups(effect_set(view, i, true), objects);
        // Who returns from main instead of waiting ends the process; who waits shows what the other waits for.
        if (interaction->kind == InteractionKind::Join) ends_process_ |= shared_value_decides(view, i);
      } else if (view.fails(i) || view.gives_exit_code(i)) {
        unite_groups(effect_set(view, i, true), {});
      } else if (op == Opcode::Load || op == Opcode::Store || op == Opcode::MemoryCopy || op == Opcode::MemorySet ||
                 op == Opcode::UDiv || op == Opcode::SDiv || op == Opcode::URem || op == Opcode::SRem ||
                 op == Opcode::AtomicLoad || op == Opcode::AtomicStore || op == Opcode::AtomicUpdate ||
                 op == Opcode::CompareExchange || may_fill_stack(view.code().code[i])) {
        if (!cannot_fault(facts_, view, i)) unite_groups(effect_set(view, i, false), {});  // may be an error by itself
      }
      if (facts_.may_happen_in_parallel({f, i}) && process_exit(view, i)) {
        ends_process_ |= !effect_set(view, i, true).empty();
      }
    }
  }
}

}  // namespace heddle::edit
