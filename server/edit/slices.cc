#include "server/edit/slices.h"

#include <algorithm>

#include "server/analysis/components.h"
#include "server/edit/constant_text.h"
#include "server/program/hash.h"
#include "server/program/operands.h"

namespace heddle::edit {
namespace {

class Slicer {
 public:
  Slicer(const Facts& facts, const FunctionView& view, const std::vector<uint64_t>& identity,
         const std::vector<uint64_t>& stack_identity, bool own = false)
      : facts_(facts), view_(view), identity_(identity), stack_identity_(stack_identity), own_(own) {}

  Slices run() {
    const size_t size = view_.code().code.size();
    shapes_.resize(size);
    values_.assign(size, 0);
    for (uint32_t i = 0; i < size; ++i) {
      shapes_[i] = shape_of(facts_, view_, i, stack_identity_);
      if (view_.source(i) && !own_) shapes_[i] = mix(shapes_[i], identity_.empty() ? 0 : identity_[i]);
    }
    find_components();
    Slices slices;
    slices.value = values_;
    slices.control.resize(size);
    slices.signature.resize(size);
    for (uint32_t i = 0; i < size; ++i) {
      slices.control[i] = control_hash(i);
      slices.signature[i] = mix(values_[i], slices.control[i]);
    }
    slices.operands.resize(size);
    for (uint32_t i = 0; i < size; ++i)
      if (view_.reachable(i) && program::is_call(view_.code().code[i].op))
        for (const Operand& operand : view_.operands(i)) slices.operands[i].push_back(operand_hash(operand));
    return slices;
  }

  // Apart from the others: few versions of a function need it.
  void add_hazards(Slices& slices) const {
    slices.hazard.assign(view_.code().code.size(), 0);
    for (uint32_t i = 0; i < slices.hazard.size(); ++i) {
      if (!view_.reachable(i) || view_.hazard(i) == Hazard::None) continue;
      uint64_t hash = mix(shapes_[i], control_hash(i));
      for (const Operand& operand : view_.operands(i))
        if (view_.decides_hazard(i, operand)) {
          const auto format = conversions_of(facts_, view_, i, operand);
          hash = mix(hash, format ? hash_text(*format) : operand_hash(operand));
        }
      slices.hazard[i] = hash;
    }
  }

 private:
  std::span<const Writer> writers(uint32_t index) const {
    if (own_) return {};
    return view_.writers(index);
  }

  // Which way a branch must go, independent of where its targets stand.
  uint64_t polarity(const CodeGraph::Control& control) const {
    const Function& function = view_.code();
    const Instruction& branch = function.code[control.branch];
    const CodeGraph& graph = view_.graph();
    if (branch.op == Opcode::Branch) return graph.block_of(branch.dst) == control.successor ? 1 : 2;
    if (program::is_call(branch.op))  // whether it throws
      return graph.block_of(function.calls[static_cast<size_t>(branch.imm)].unwind) == control.successor ? 8 : 9;
    if (branch.op == Opcode::Jump) return 7;  // of a loop without an end: it has one way
    const program::SwitchTable& table = function.switches[branch.b];
    std::vector<uint64_t> ways;
    for (size_t k = 0; k < table.targets.size(); ++k)
      if (graph.block_of(table.targets[k]) == control.successor)
        ways.push_back(branch.op == Opcode::Switch ? mix(3, table.values[k]) : mix(4, k));
    std::sort(ways.begin(), ways.end());
    uint64_t hash = branch.op == Opcode::Switch && graph.block_of(table.default_target) == control.successor ? 5 : 6;
    for (uint64_t way : ways) hash = mix(hash, way);
    return hash;
  }

  uint64_t control_hash(uint32_t index) const {
    std::vector<uint64_t> parts;
    for (const CodeGraph::Control& control : view_.controls(index))
      if (!own_ || !program::is_call(view_.code().code[control.branch].op))  // that a call did not throw
        parts.push_back(mix(values_[control.branch], polarity(control)));
    std::sort(parts.begin(), parts.end());
    uint64_t hash = 11;
    for (uint64_t part : parts) hash = mix(hash, part);
    return hash;
  }

  uint64_t definition_hash(uint32_t definition, Slot slot) const {
    if (definition == CodeGraph::kParameter) return mix(21, slot);
    if (own_ && program::is_call(view_.code().code[definition].op)) return 23;
    return mix(values_[definition], slot - view_.code().code[definition].dst);
  }

  uint64_t operand_hash(const Operand& operand) const {
    if (operand.definitions.size() == 1) return definition_hash(operand.definitions[0], operand.slot);
    std::vector<uint64_t> parts;
    for (uint32_t d : operand.definitions)
      parts.push_back(mix(definition_hash(d, operand.slot), d == CodeGraph::kParameter ? 0 : control_hash(d)));
    std::sort(parts.begin(), parts.end());
    uint64_t hash = 31 + parts.size();
    for (uint64_t part : parts) hash = mix(hash, part);
    return hash;
  }

  uint64_t combine(uint32_t index) const {
    uint64_t hash = shapes_[index];
    for (const Operand& operand : view_.operands(index)) hash = mix(hash, operand_hash(operand));
    for (const Writer& writer : writers(index))
      hash = mix(hash, mix(mix(values_[writer.index], control_hash(writer.index)), writer.before));
    if (view_.graph().decides(index) && !(own_ && program::is_call(view_.code().code[index].op)))
      hash = mix(hash, control_hash(index));
    return hash;
  }

  template <typename Visit>
  void for_each_dependence(uint32_t index, Visit visit) const {
    for (const Operand& operand : view_.operands(index))
      for (uint32_t d : operand.definitions) {
        if (d == CodeGraph::kParameter) continue;
        visit(d);
        if (operand.definitions.size() > 1)
          for (const CodeGraph::Control& control : view_.controls(d)) visit(control.branch);
      }
    for (const Writer& writer : writers(index)) {
      visit(writer.index);
      for (const CodeGraph::Control& control : view_.controls(writer.index)) visit(control.branch);
    }
    if (view_.graph().decides(index))
      for (const CodeGraph::Control& control : view_.controls(index)) visit(control.branch);
  }

  // Tarjan's components come out dependences first, so each is hashed when everything it needs is known.
  void find_components() {
    const uint32_t size = static_cast<uint32_t>(view_.code().code.size());
    std::vector<std::vector<uint32_t>> edges(size);
    for (uint32_t i = 0; i < size; ++i)
      if (view_.reachable(i)) for_each_dependence(i, [&](uint32_t d) { edges[i].push_back(d); });
    analysis::for_each_component(edges, [&](const std::vector<uint32_t>& members) {
      const uint32_t n = members[0];
      if (!view_.reachable(n)) return;
      const bool cyclic = members.size() > 1 || std::count(edges[n].begin(), edges[n].end(), n) > 0;
      if (cyclic)
        hash_cycle(members);
      else
        values_[n] = combine(n);
    });
  }

  // A cycle (a loop's variables and condition): a few rounds distinguish its members, a sum over all of them makes
  // every member differ when any of them does.
  void hash_cycle(const std::vector<uint32_t>& members) {
    for (uint32_t m : members) values_[m] = shapes_[m];
    const size_t rounds = std::min<size_t>(members.size() + 1, 6);
    std::vector<uint64_t> fresh(members.size());
    for (size_t round = 0; round < rounds; ++round) {
      for (size_t k = 0; k < members.size(); ++k) fresh[k] = combine(members[k]);
      for (size_t k = 0; k < members.size(); ++k) values_[members[k]] = fresh[k];
    }
    uint64_t sum = members.size();
    for (uint64_t value : fresh) sum += mix(41, value);
    for (uint32_t m : members) values_[m] = mix(values_[m], sum);
  }

  const Facts& facts_;
  const FunctionView& view_;
  const std::vector<uint64_t>& identity_;
  const std::vector<uint64_t>& stack_identity_;
  const bool own_;
  std::vector<uint64_t> shapes_, values_;
};

}  // namespace

uint64_t hash_text(std::string_view text) { return program::hash_bytes(text).low; }

// What an exception specification (until C++17) lets through where the landing pad begins: no code names it.
static uint64_t specification_at(const Facts& facts, const FunctionView& view, uint32_t index) {
  const Function& function = view.code();
  const auto& symbols = facts.program->unit(facts.program->unit_of(view.id())).symbols;
  uint64_t hash = 0;
  for (const program::CallSite& site : function.calls) {
    if (site.unwind != index) continue;
    for (const program::CatchClause& clause : function.landing_pads[site.landing_pad].clauses) {
      if (!clause.filter) continue;
      hash = mix(hash, clause.types.size());
      for (const program::SymbolId type : clause.types) hash = mix(hash, hash_text(symbols[type.value].name));
    }
    break;
  }
  return hash;
}

uint64_t shape_of(const Facts& facts, const FunctionView& view, uint32_t index,
                  const std::vector<uint64_t>& stack_identity) {
  const Function& function = view.code();
  const Instruction& i = function.code[index];
  const program::OpcodeInfo& info = program::opcode_info(i.op);
  uint64_t hash = mix(mix(static_cast<uint64_t>(i.op), i.width), i.flags);
  if (info.a == program::OperandRole::kSymbol)
    hash = mix(hash, hash_text(facts.program->unit(facts.program->unit_of(view.id())).symbols[i.a].name));
  if (info.imm == program::OperandRole::kNumber) hash = mix(hash, static_cast<uint64_t>(i.imm));
  switch (i.op) {
    case Opcode::StackAllocate:
    case Opcode::StackAllocateDynamic: {
      const program::StackObject& object = function.stack_objects[i.b];
      hash = mix(mix(hash, object.size), i.b < stack_identity.size() ? stack_identity[i.b] : i.b);
      break;
    }
    case Opcode::Return: hash = mix(hash, i.b); break;
    case Opcode::Switch:
      for (uint64_t value : function.switches[i.b].values) hash = mix(hash, value);
      break;
    case Opcode::Unsupported: hash = mix(hash, hash_text(function.unsupported[i.b])); break;
    case Opcode::Call:
    case Opcode::CallIndirect: {
      const program::CallSite& site = function.calls[static_cast<size_t>(i.imm)];
      hash = mix(mix(hash, site.result_slots), site.fixed);
      if (view.fails(index)) break;
      for (const program::Argument& a : site.arguments)
        hash = mix(hash, a.slots * 65536ull + a.bytes + (uint64_t{a.by_value} << 32));
      break;
    }
    case Opcode::CaughtException: hash = mix(hash, specification_at(facts, view, index)); break;
    default: break;
  }
  return hash;
}

Slices make_slices(const Facts& facts, const FunctionView& view, const std::vector<uint64_t>& identity,
                   const std::vector<uint64_t>& stack_identity) {
  Slicer slicer(facts, view, identity, stack_identity);
  Slices slices = slicer.run();
  if (!identity.empty()) slicer.add_hazards(slices);
  return slices;
}

Slices make_own_slices(const Facts& facts, const FunctionView& view, const std::vector<uint64_t>& stack_identity) {
  const std::vector<uint64_t> no_callers;
  return Slicer(facts, view, no_callers, stack_identity, true).run();
}

}  // namespace heddle::edit
