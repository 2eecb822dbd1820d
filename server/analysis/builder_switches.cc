// Parameters that a function switches over. Code that only other arguments lead to is left out: the manager of a
// std::function copies, destroys and hands out what it holds by one function, and callers say with a constant which.
#include <algorithm>

#include "server/analysis/builder.h"

namespace heddle::analysis {

// The parameter whose value is in the slot, unchanged; kNoSlot: none.
Slot Builder::parameter_at(Address at, Slot slot) {
  const Origin from = origin(at, slot);
  return from.single && from.definition == CodeGraph::kParameter && from.offset == 0 ? from.slot : kNoSlot;
}

// Parameters that a switch of the function, or one of a function that gets them from it, is over.
const std::set<Slot>& Builder::selectors(FunctionId id) {
  const auto [known, made] = selectors_.try_emplace(id);
  if (!made) return known->second;  // what is known so far while it is looked for: recursive
  const Function& function = program.function(id);
  std::set<Slot> found;
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    const Instruction& code = function.code[i];
    if (code.op == Opcode::Switch) found.insert(parameter_at({id, i}, code.a));
    if (code.op != Opcode::Call) continue;
    const program::Binding binding = program.binding(id, program::SymbolId(code.a));
    if (binding.kind != program::BindingKind::Function) continue;
    const program::CallSite& site = function.calls[static_cast<size_t>(code.imm)];
    for (const Slot parameter : selectors(FunctionId(binding.id)))
      if (const Slot given = slot_given(site, parameter); given != kNoSlot) found.insert(parameter_at({id, i}, given));
  }
  found.erase(kNoSlot);
  return selectors_[id] = std::move(found);
}

// From now on the parameters may have any value.
void Builder::open(FunctionId id) {
  for (const Slot parameter : selectors(id)) give(id, parameter, std::nullopt);
}

// A call gives the parameters these values too.
void Builder::select(Address at, FunctionId callee) {
  const Function& caller = program.function(at.function);
  const program::CallSite& site = caller.calls[static_cast<size_t>(caller.code[at.index].imm)];
  for (const Slot parameter : selectors(callee)) {
    const Slot slot = slot_given(site, parameter);
    if (slot == kNoSlot) {
      give(callee, parameter, std::nullopt);
      continue;
    }
    const auto definitions = graph(at.function).definitions(at.index, slot);
    const bool single = definitions.size() == 1 && definitions[0] != CodeGraph::kParameter;
    if (single && caller.code[definitions[0]].op == Opcode::Const) {
      give(callee, parameter, caller.code[definitions[0]].imm);
      continue;
    }
    const Slot from = parameter_at(at, slot);
    if (from == kNoSlot || !selectors(at.function).contains(from)) {
      give(callee, parameter, std::nullopt);
      continue;
    }
    Values& given = values_[{at.function, from}];
    given.passed_on.insert({callee, parameter});
    if (given.any) give(callee, parameter, std::nullopt);
    const std::set<int64_t> known = given.known;
    for (const int64_t value : known) give(callee, parameter, value);
  }
}

// Nothing: any value.
void Builder::give(FunctionId id, Slot parameter, std::optional<int64_t> value) {
  Values& values = values_[{id, parameter}];
  if (values.any || (value && !values.known.insert(*value).second)) return;
  if (!value) values.any = true;
  if (reached[id.value]) pending_.push_back(id);
  const auto passed_on = values.passed_on;
  for (const auto& [callee, same] : passed_on) give(callee, same, value);
}

// Blocks that the values known so far lead to.
std::vector<bool> Builder::selected(FunctionId id) {
  const Function& function = program.function(id);
  const CodeGraph& flow = graph(id);
  std::vector<bool> result(flow.blocks().size(), false);
  std::vector<uint32_t> work;
  const auto go = [&](uint32_t block) {
    if (!result[block]) result[block] = true, work.push_back(block);
  };
  if (!result.empty()) go(0);
  while (!work.empty()) {
    const Block& block = flow.blocks()[work.back()];
    work.pop_back();
    const uint32_t last = block.end - 1;
    const Instruction& code = function.code[last];
    const Slot over = code.op == Opcode::Switch ? parameter_at({id, last}, code.a) : kNoSlot;
    const auto values = over == kNoSlot ? values_.end() : values_.find({id, over});
    if (values == values_.end() || values->second.any || !selectors(id).contains(over)) {
      for (const uint32_t next : block.successors) go(next);
      continue;
    }
    const program::SwitchTable& table = function.switches[code.b];
    const uint64_t mask = table.width >= 64 ? ~uint64_t{0} : (uint64_t{1} << table.width) - 1;
    for (const int64_t value : values->second.known) {
      const auto same = std::find_if(table.values.begin(), table.values.end(), [&](uint64_t one) {
        return (one & mask) == (static_cast<uint64_t>(value) & mask);
      });
      go(flow.block_of(same == table.values.end() ? table.default_target
                                                  : table.targets[static_cast<size_t>(same - table.values.begin())]));
    }
  }
  return result;
}

}  // namespace heddle::analysis
