#include "server/edit/view.h"

#include <algorithm>

#include "server/analysis/throws.h"
#include "server/edit/constant_text.h"
#include "server/edit/hazards.h"
#include "server/program/operands.h"

namespace heddle::edit {

void unite(std::vector<ObjectId>& into, const std::vector<ObjectId>& from) {
  if (from.empty()) return;
  std::vector<ObjectId> all;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(all));
  into = std::move(all);
}

FunctionView::FunctionView(const Facts& facts, const Summaries& summaries, FunctionId id)
    : facts_(&facts),
      summaries_(&summaries),
      id_(id),
      function_(&facts.program->function(id)),
      graph_(analysis::make_graph(*facts.program, id)),
      returning_(graph_) {
  collect();
}

std::span<const FunctionId> FunctionView::called(uint32_t index) const {
  const Instruction& instruction = function_->code[index];
  if (!program::is_call(instruction.op)) return {};
  const auto* row = analysis::library_callee(*facts_->program, id_, instruction);
  if (row && row->effect != library::Effect::CallsBack) return {};
  return summaries_->callees({id_, index});
}

ObjectSet FunctionView::writes(uint32_t index) const {
  ObjectSet result;
  result.insert_all(memory_[index].writes);
  for (FunctionId f : called(index))
    summaries_->add_written({id_, index},
                            returning_.catches(graph_, index) ? summaries_->writes(f) : summaries_->returned_writes(f),
                            result);
  return result;
}

bool FunctionView::calls_library(uint32_t index) const {
  return analysis::library_callee(*facts_->program, id_, function_->code[index]) != nullptr;
}

bool FunctionView::calls_unknown(uint32_t index) const {
  const Instruction& i = function_->code[index];
  if (i.op != Opcode::Call) return false;
  if (const library::Function* row = analysis::library_callee(*facts_->program, id_, i))
    return row->implementation == library::Implementation::Nothing;
  return facts_->program->binding(id_, program::SymbolId(i.a)).kind == program::BindingKind::External;
}

bool ends_process(const library::Function& row) {
  return row.effect == library::Effect::Exits && !row.fails && row.name.find("exit") != std::string_view::npos &&
         row.name != "pthread_exit" && row.name != "thrd_exit";
}

void FunctionView::collect() {
  const Facts& facts = *facts_;
  const size_t size = function_->code.size();
  operands_.resize(size);
  interactions_.resize(size);
  memory_.resize(size);
  merges_.resize(size);
  fails_.resize(size);
  exit_code_.resize(size);
  raises_.resize(size);
  effect_.resize(size);
  source_.resize(size);

  const analysis::Throws& thrown = analysis::Throws::of(*facts.program);
  const bool is_main = facts.program->find_function("main") == id_;
  for (uint32_t i = 0; i < size; ++i) {
    if (!reachable(i)) continue;
    const CodeAddress at{id_, i};
    const Instruction& instruction = function_->code[i];
    const bool call = program::is_call(instruction.op);
    const library::Function* row = analysis::library_callee(*facts.program, id_, instruction);
    interactions_[i] = facts.interaction(at);
    memory_[i] = analysis::memory_effects(facts, at);
    std::erase_if(memory_[i].writes, [&](ObjectId o) { return constant(facts, o); });
    raises_[i] = thrown.raises(id_, instruction);
    // A throw may meet no handler; an unknown function ends the path as a limit; what is held unreachable may be reached,
    // unless it follows a call that ends the path.
    const library::Function* const last =
        i > 0 ? analysis::library_callee(*facts.program, id_, function_->code[i - 1]) : nullptr;
    const bool ended = i > 0 && (raises_[i - 1] || fails_[i - 1] || (last && last->effect == library::Effect::Exits));
    fails_[i] = instruction.op == Opcode::Trap || (instruction.op == Opcode::Unreachable && !ended) ||
                instruction.op == Opcode::Unsupported || (row && row->fails) || raises_[i] || calls_unknown(i);
    exit_code_[i] = (is_main && instruction.op == Opcode::Return && instruction.b != 0) || (row && ends_process(*row));
    const bool stores_here = !memory_[i].writes.empty() || instruction.op == Opcode::Store ||
                             instruction.op == Opcode::MemoryCopy || instruction.op == Opcode::MemorySet;
    effect_[i] = interactions_[i] || call || stores_here || fails_[i] || instruction.op == Opcode::Return;
    source_[i] = call || (interactions_[i] && instruction.op != Opcode::Store);
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
}

Hazard FunctionView::hazard(uint32_t index) const {
  if (hazards_.empty()) hazards_ = find_hazards(*facts_, *this);
  return hazards_[index];
}

bool FunctionView::decides_hazard(uint32_t index, const Operand& operand) const {
  const Instruction& i = function_->code[index];
  if (program::is_call(i.op) && recurses(index)) return true;
  switch (i.op) {
    case Opcode::Load:
    case Opcode::Store: return operand.slot == i.a;  // not the value that is stored
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem: return operand.slot == i.b;
    case Opcode::AtomicLoad:
    case Opcode::AtomicStore:
    case Opcode::AtomicUpdate:
    case Opcode::CompareExchange: return operand.slot == i.a;
    case Opcode::CallIndirect: return operand.argument == 0xffffffffu;  // where it goes
    case Opcode::Call: return argument_decides(*facts_, *this, index, operand);
    default: return true;
  }
}

// Values that come out of private memory: the stores to it, in code order. Shared memory is not followed: what is
// written there is an interaction of its own.
void FunctionView::find_writers(Flow& flow) const {
  const uint32_t size = static_cast<uint32_t>(function_->code.size());
  flow.writers.resize(size);
  std::vector<std::pair<uint32_t, ObjectSet>> stores;
  for (uint32_t i = 0; i < size; ++i) {
    ObjectSet written;
    writes(i).for_each([&](ObjectId o) {
      if (!facts_->objects[o.value].shared) written.insert(o);
    });
    if (!written.empty()) stores.emplace_back(i, std::move(written));
  }
  for (uint32_t i = 0; i < size; ++i)
    for (const auto& [s, written] : stores)
      if (s != i && written.meets(memory_[i].reads)) flow.writers[i].push_back({s, s < i});
}

const FunctionView::Flow& FunctionView::flow() const {
  if (flow_) return *flow_;
  flow_ = std::make_unique<Flow>();
  Flow& flow = *flow_;
  find_writers(flow);
  const size_t size = function_->code.size();
  flow.users.resize(size);
  flow.controlled.resize(size);
  flow.parameter_users.resize(function_->parameter_slots);
  for (uint32_t i = 0; i < size; ++i) {
    if (!reachable(i)) continue;
    for (const Operand& operand : operands_[i])
      for (uint32_t d : operand.definitions) {
        if (d != CodeGraph::kParameter)
          flow.users[d].push_back(i);
        else if (operand.slot < flow.parameter_users.size())
          flow.parameter_users[operand.slot].push_back(i);
      }
    for (const CodeGraph::Control& control : controls(i)) flow.controlled[control.branch].push_back(i);
  }
  for (auto* lists : {&flow.users, &flow.parameter_users, &flow.controlled})
    for (auto& list : *lists) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  return flow;
}

}  // namespace heddle::edit
