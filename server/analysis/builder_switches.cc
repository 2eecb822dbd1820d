// Parameters that a function switches over. Code that only other arguments lead to is left out: the manager of a
// std::function copies, destroys and hands out what it holds by one function, and callers say with a constant which;
// those of std::async say whether the function may be left to get().
#include <algorithm>

#include "server/analysis/builder.h"
#include "server/library/link_names.h"
#include "server/program/print.h"

namespace heddle::analysis {

// The parameter whose value is in the slot, unchanged; kNoSlot: none.
Slot Builder::parameter_at(Address at, Slot slot) {
  const Origin from = origin(at, slot);
  return from.single && from.definition == CodeGraph::kParameter && from.offset == 0 ? from.slot : kNoSlot;
}

// The parameter of std::async that says when the function runs; kNoSlot: none.
Slot Builder::launch_policy(FunctionId id) {
  if (!library::is_async(link_name(id))) return kNoSlot;
  const Function& function = program.function(id);
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    if (!calls_named(id, i, library::kLaunchAnd)) continue;
    const program::CallSite& site = function.calls[static_cast<size_t>(function.code[i].imm)];
    if (const Slot given = slot_given(site, 0); given != kNoSlot) return parameter_at({id, i}, given);
  }
  return kNoSlot;
}

bool Builder::calls_named(FunctionId id, uint32_t at, std::string_view prefix) const {
  const Instruction& code = program.function(id).code[at];
  if (code.op != Opcode::Call) return false;
  const program::Binding binding = program.binding(id, program::SymbolId(code.a));
  return binding.kind == program::BindingKind::Function && link_name(FunctionId(binding.id)).starts_with(prefix);
}

// Does every call of this std::async start a thread? One that cannot start throws, so that nothing is left to get().
bool Builder::always_launches(FunctionId id) {
  constexpr int64_t kAsync = 1, kDeferred = 2;
  const Slot policy = launch_policy(id);
  const auto values = policy == kNoSlot ? values_.end() : values_.find({id, policy});
  if (values == values_.end() || values->second.any) return false;
  const std::set<int64_t>& known = values->second.known;
  return std::all_of(known.begin(), known.end(), [](int64_t v) { return (v & (kAsync | kDeferred)) == kAsync; });
}

bool Builder::defers(FunctionId id, const Block& block) const {
  for (uint32_t i = block.begin; i < block.end; ++i)
    if (calls_named(id, i, library::kMakeDeferredState)) return true;
  return false;
}

// Parameters that a switch of the function, or one of a function that gets them from it, is over.
const std::set<Slot>& Builder::selectors(FunctionId id) {
  const auto [known, made] = selectors_.try_emplace(id);
  if (!made) return known->second;  // what is known so far while it is looked for: recursive
  const Function& function = program.function(id);
  std::set<Slot> found{launch_policy(id)};
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

// Does it call a member function of one of the library's classes without virtual functions? The pointer to it is then
// no place in a virtual table.
bool Builder::calls_plain_member(FunctionId id) {
  if (link_name(id).find("13__invoke_impl") == std::string::npos) return false;
  const std::string name = program::readable_name(link_name(id));
  const size_t tag = name.find("(std::__invoke_memfun_");
  const size_t end = tag == std::string::npos ? tag : name.find("::*", tag);
  if (end == std::string::npos) return false;
  size_t begin = end;
  for (int depth = 0; begin > tag && (depth > 0 || name[begin - 1] != '('); --begin)
    depth += name[begin - 1] == ')' ? 1 : name[begin - 1] == '(' ? -1 : 0;
  const std::string type = name.substr(begin, end - begin);
  return type.starts_with("std::") && !described_types().contains(type);
}

// Classes with a virtual table or a description of their type: all that have virtual functions.
const std::set<std::string>& Builder::described_types() {
  if (described_types_) return *described_types_;
  described_types_.emplace();
  for (const program::UnitPtr& unit : program.units())
    for (const program::Symbol& symbol : unit->symbols)
      if (library::is_type_info(symbol.name) || library::is_virtual_table(symbol.name)) {
        const std::string name = program::readable_name(symbol.name);
        if (const size_t type = name.find(" for "); type != std::string::npos)
          described_types_->insert(name.substr(type + 5));
      }
  return *described_types_;
}

// The branch that asks whether a pointer to a member function is a place in a virtual table.
bool Builder::asks_for_virtual(FunctionId id, uint32_t branch) {
  const Function& function = program.function(id);
  const Instruction& code = function.code[branch];
  const auto made_by = [&](uint32_t use, Slot slot) -> std::optional<uint32_t> {
    const auto definitions = graph(id).definitions(use, slot);
    return definitions.size() == 1 && definitions[0] != CodeGraph::kParameter ? std::optional(definitions[0])
                                                                              : std::nullopt;
  };
  if (code.op != Opcode::Branch) return false;
  const auto asked = made_by(branch, code.a);
  if (!asked || function.code[*asked].op != Opcode::CmpNeI) return false;
  const auto bit = made_by(*asked, function.code[*asked].a);
  return bit && function.code[*bit].op == Opcode::AndI && function.code[*bit].imm == 1;
}

// Blocks that the values known so far lead to.
std::vector<bool> Builder::selected(FunctionId id) {
  const Function& function = program.function(id);
  const CodeGraph& flow = graph(id);
  std::vector<bool> result(flow.blocks().size(), false);
  std::vector<uint32_t> work;
  const bool launches = always_launches(id);
  const auto go = [&](uint32_t block) {
    if (result[block] || (launches && defers(id, flow.blocks()[block]))) return;
    result[block] = true;
    work.push_back(block);
  };
  const bool plain_member = calls_plain_member(id);
  if (!result.empty()) go(0);
  while (!work.empty()) {
    const Block& block = flow.blocks()[work.back()];
    work.pop_back();
    const uint32_t last = block.end - 1;
    const Instruction& code = function.code[last];
    if (plain_member && asks_for_virtual(id, last)) {
      go(flow.block_of(code.b));
      continue;
    }
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
