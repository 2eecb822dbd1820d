#include "server/analysis/code_facts.h"

#include <algorithm>

#include "server/analysis/throws.h"

namespace heddle::analysis {

using program::BindingKind;

const library::Function* library_callee(const program::Program& program, FunctionId caller, const Instruction& call) {
  if (call.op != Opcode::Call) return nullptr;
  const program::Binding binding = program.binding(caller, program::SymbolId(call.a));
  if (binding.kind != BindingKind::External || binding.id >= program.externals().size()) return nullptr;
  const program::External& external = program.externals()[binding.id];
  return external.fills ? &library::filling_function() : library::find_function(external.name);
}

CodeGraph make_graph(const program::Program& program, FunctionId id) {
  const Function& function = program.function(id);
  auto ends = [&](uint32_t index) {
    const Instruction& i = function.code[index];
    if (i.op == Opcode::Trap || i.op == Opcode::Unsupported) return true;
    if (!program::is_call(i.op)) return false;
    if (function.calls[static_cast<size_t>(i.imm)].no_return) return true;
    const library::Function* row = library_callee(program, id, i);
    return row && row->effect == library::Effect::Exits;
  };
  auto fails = [&](uint32_t index) {
    const Instruction& i = function.code[index];
    if (i.op == Opcode::Trap || i.op == Opcode::Unsupported) return true;
    const library::Function* row = library_callee(program, id, i);
    return row && row->fails;
  };
  const Throws& thrown = Throws::of(program);
  auto quiet = [&](uint32_t index) { return !thrown.may_throw(id, function.code[index]); };
  return CodeGraph(function, ends, fails, quiet);
}

MemoryEffects memory_effects(const Facts& facts, CodeAddress at) {
  MemoryEffects effects;
  auto add = [&](std::vector<ObjectId>& to, uint32_t operand) {
    for (ObjectId o : facts.pointees(at, operand))
      if (facts.objects[o.value].kind != ObjectKind::Function) to.push_back(o);
  };
  const Instruction& i = facts.program->instruction(at);
  switch (i.op) {
    case Opcode::Load:
    case Opcode::AtomicLoad: add(effects.reads, 0); break;
    case Opcode::Store:
    case Opcode::AtomicStore:
    case Opcode::MemorySet: add(effects.writes, 0); break;
    case Opcode::AtomicUpdate:
    case Opcode::CompareExchange: add(effects.reads, 0), add(effects.writes, 0); break;
    case Opcode::MemoryCopy: add(effects.writes, 0), add(effects.reads, 1); break;
    case Opcode::Call: {
      const library::Function* row = library_callee(*facts.program, at.function, i);
      if (!row) break;
      const auto& site = facts.program->function(at.function).calls[static_cast<size_t>(i.imm)];
      const size_t arguments = site.arguments.size();
      for (uint32_t n = 0; n < 16; ++n) {
        if (row->reads >> n & 1) add(effects.reads, n);
        if (library::writes_operand(*row, n, arguments)) add(effects.writes, n);
      }
      if (row->effect == library::Effect::Frees || row->effect == library::Effect::Reallocates) add(effects.writes, 0);
      break;
    }
    default: break;
  }
  for (auto* set : {&effects.reads, &effects.writes}) {
    std::sort(set->begin(), set->end());
    set->erase(std::unique(set->begin(), set->end()), set->end());
  }
  return effects;
}

}  // namespace heddle::analysis
