#include <algorithm>

#include "server/analysis/object_name.h"
#include "server/edit/fragments.h"
#include "server/program/operands.h"
#include "server/program/print.h"

namespace heddle::edit {
namespace {

// "queue.head" when the address is a variable plus constants, else the names of what it may be.
std::string path_of(const Facts& facts, const CodeGraph& graph, CodeAddress at, const std::vector<ObjectId>& objects) {
  const program::Program& program = *facts.program;
  const program::Function& function = program.function(at.function);
  const Instruction& i = function.code[at.index];
  if (!program::is_call(i.op) && i.op != Opcode::MemoryCopy && i.op != Opcode::MemorySet) {
    int64_t offset = i.op == Opcode::CompareExchange || i.op == Opcode::AtomicUpdate ? 0 : i.imm;
    uint32_t index = at.index;
    Slot slot = i.a;
    for (int depth = 0; depth < 8; ++depth) {
      const auto definitions = graph.definitions(index, slot);
      if (definitions.size() != 1 || definitions[0] == CodeGraph::kParameter) break;
      const Instruction& d = function.code[definitions[0]];
      if (d.op == Opcode::PointerAdd || d.op == Opcode::Move) {
        if (d.op == Opcode::PointerAdd) offset += d.imm;
        index = definitions[0];
        slot = d.a;
        continue;
      }
      if (d.op != Opcode::SymbolAddress) break;
      const program::Binding binding = program.binding(at.function, program::SymbolId(d.a));
      if (binding.kind != program::BindingKind::Global) break;
      const program::GlobalId global(binding.id);
      const auto& unit = program.unit(program.unit_of(global));
      return facts.objects[facts.object_of(global).value].name +
             program::access_path(unit, program.global(global).type, static_cast<uint64_t>(offset + d.imm),
                                  i.width / 8);
    }
  }
  std::string text;
  const std::vector<std::string> names = analysis::project_names(facts, objects);
  for (size_t k = 0; k < names.size(); ++k) {
    if (k == 3) return text + " ...";
    text += (k ? " or " : "") + names[k];
  }
  return text;
}

std::string callee_name(const program::Program& program, CodeAddress at, const Instruction& i) {
  return i.op == Opcode::Call ? program.unit(program.unit_of(at.function)).symbols[i.a].name : "";
}

// What the compiler adds for a static local is what initialises it: "the initialisation of 'x'" -> "x".
std::string initialised(const std::string& object) {
  constexpr std::string_view kOf = "the initialisation of '";
  const std::string name = analysis::readable_object(object);
  return name.starts_with(kOf) ? name.substr(kOf.size(), name.size() - kOf.size() - 1) : "";
}

// Signals are ordered as semaphores are; people call them otherwise.
std::string kind_text(const program::Program& program, CodeAddress at, const Interaction& interaction) {
  const std::string callee = callee_name(program, at, program.instruction(at));
  if (callee == "kill" || callee == "pthread_kill" || callee == "sigqueue" || callee == "pthread_sigqueue")
    return "sending of a signal";
  if (callee.starts_with("sig") && interaction.kind == analysis::InteractionKind::SemaphoreWait)
    return "wait for a signal";
  return std::string(analysis::name_of(interaction.kind));
}

}  // namespace

std::string describe(const Facts& facts, CodeAddress at) {
  const program::Program& program = *facts.program;
  const Instruction& i = program.instruction(at);
  if (const Interaction* interaction = facts.interaction(at)) {
    const std::string what = kind_text(program, at, *interaction);
    const std::string path = path_of(facts, analysis::make_graph(program, at.function), at, interaction->objects);
    if (const std::string local = initialised(path); !local.empty())
      return "initialisation of the static local " + local;
    return path.empty() ? what : what + " of " + path;
  }
  if (const library::Function* row = analysis::library_callee(program, at.function, i); row && row->fails)
    return "assertion";
  if (i.op == Opcode::Return) return "result of " + program.function(at.function).display_name;
  if (i.op == Opcode::Trap) return "trap";
  if (program::is_terminator(i.op) && i.op != Opcode::Return) return "loop";
  if (auto callees = facts.callees.find(at); callees != facts.callees.end() && !callees->second.empty())
    return "call of " + program.function(callees->second[0]).display_name;
  switch (i.op) {
    case Opcode::Load:
    case Opcode::Store:
    case Opcode::MemoryCopy:
    case Opcode::MemorySet: return "access through a pointer";
    case Opcode::Call:
      if (const library::Function* row = library::find_row(callee_name(program, at, i)); row && !row->own_state.empty())
        return "use of " + std::string(row->own_state);
      return "call of " + analysis::readable_object(callee_name(program, at, i));
    default: return "division";
  }
}

}  // namespace heddle::edit
