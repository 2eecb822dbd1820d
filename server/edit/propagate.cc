#include "server/edit/propagate.h"

#include <algorithm>

#include "server/edit/hazards.h"
#include "server/program/operands.h"

namespace heddle::edit {

void Propagation::run() {
  while (!work_.empty()) {
    const auto next = std::move(work_.back());
    work_.pop_back();
    next();
  }
}

void Propagation::effect_changed(CodeAddress at) {
  const FunctionView& view = views_.of(at.function);
  // What shared values decide is relevant together with them.
  const auto& controls = view.controls(at.index);
  const bool shared_decides = std::any_of(controls.begin(), controls.end(), [&](const CodeGraph::Control& control) {
    return looks_at_shared(view, control.branch);
  });
  if (view.raises(at.index) && !shared_decides) leaving_changed(at.function);
  value(at);
  writes(view, at.index);
  if (view.code().code[at.index].op == Opcode::Return) result_changed(at.function);
  new_threads(at);
}

// A thread that is created with something else.
void Propagation::new_threads(CodeAddress at) {
  const Interaction* interaction = views_.facts().interaction(at);
  if (!interaction || interaction->kind != analysis::InteractionKind::Create) return;
  for (const analysis::Role& role : views_.facts().roles)
    if (std::find(role.created_at.begin(), role.created_at.end(), at) != role.created_at.end())
      parameters_changed(role.entry);
}

void Propagation::operands_changed(CodeAddress call, const std::vector<uint32_t>& operands) {
  const FunctionView& view = views_.of(call.function);
  value(call);
  for (uint32_t k : operands)
    if (view.operands(call.index)[k].argument == 0xffffffffu) return occurrence_changed(call);  // the function pointer
  pass_arguments(view, call, operands);
  if (analysis::library_callee(*views_.facts().program, call.function, view.code().code[call.index]))
    writes(view, call.index);
}

void Propagation::writes(const FunctionView& view, uint32_t index) {
  view.writes(index).for_each([&](ObjectId o) {
    if (!views_.facts().objects[o.value].shared) object_changed(o);
  });
}

// A value that differs: everything in the function that takes it.
void Propagation::value(CodeAddress at) {
  if (!values_.insert(at).second) return;
  work_.push_back([this, at] {
    for (uint32_t user : views_.of(at.function).users(at.index)) consumer({at.function, user});
  });
}

void Propagation::consumer(CodeAddress at) {
  const FunctionView& view = views_.of(at.function);
  const Instruction& i = view.code().code[at.index];
  if (is_call_of_ours(at)) {
    pass_arguments(view, at, {});  // which of them differ may have grown since the last time
    bool target = false;
    if (i.op == Opcode::CallIndirect)
      for (uint32_t d : view.operands(at.index)[0].definitions)
        target |= d != CodeGraph::kParameter && values_.contains({at.function, d});
    if (target) occurrence_changed(at);
  }
  look_at_hazard(view, at.index);
  if (!consumers_.insert(at).second) return;
  if (CodeGraph::is_conditional(i.op)) {
    for (uint32_t index : view.controlled(at.index)) occurrence_changed({at.function, index});
    return;
  }
  if (view.interaction(at.index) || view.gives_exit_code(at.index)) statements_.insert(at);
  if (i.op == Opcode::Return) return result_changed(at.function);
  new_threads(at);
  if (is_call_of_ours(at) && !analysis::library_callee(*views_.facts().program, at.function, i)) return;
  writes(view, at.index);
  value(at);
}

void Propagation::occurrence_changed(CodeAddress at) {
  if (!occurrences_.insert(at).second) return;
  work_.push_back([this, at] {
    const FunctionView& view = views_.of(at.function);
    const Instruction& i = view.code().code[at.index];
    if (view.interaction(at.index) || view.fails(at.index) || view.gives_exit_code(at.index)) statements_.insert(at);
    if (view.raises(at.index)) leaving_changed(at.function);
    if (view.hazard(at.index) != Hazard::None) hazard_changed(at);
    if (is_call_of_ours(at)) {
      if (call_matters(at)) statements_.insert(at);
      writes(view, at.index);
      value(at);
      return;
    }
    if (CodeGraph::is_conditional(i.op)) {
      for (uint32_t index : view.controlled(at.index)) occurrence_changed({at.function, index});
      return;
    }
    if (i.op == Opcode::Return) result_changed(at.function);
    writes(view, at.index);
    if (view.merges(at.index)) value(at);
  });
}

// What comes after the call of a function that throws, or never comes back, differs; in the callers of that one as
// well.
void Propagation::leaving_changed(FunctionId function) {
  if (!leaving_.insert(function).second) return;
  for (const CodeAddress call : views_.facts().callers_of[function.value]) {
    const FunctionView& view = views_.of(call.function);
    if (!view.reachable(call.index)) continue;
    for (const uint32_t i : what_follows(view, call.index)) occurrence_changed({call.function, i});
    leaving_changed(call.function);
  }
}

void Propagation::hazard_changed(CodeAddress at) {
  if (!hazards_.insert(at).second) return;
  statements_.insert(at);
  work_.push_back([this, at] {
    const FunctionView& view = views_.of(at.function);
    if (view.hazard(at.index) != Hazard::Loop) return;
    for (const uint32_t i : what_follows(view, at.index)) occurrence_changed({at.function, i});
    leaving_changed(at.function);
  });
}

bool Propagation::differs(CodeAddress definition, Slot slot) const {
  return definition.index == CodeGraph::kParameter ? parameters_.contains({definition.function, slot})
                                                   : values_.contains(definition);
}

void Propagation::look_at_hazard(const FunctionView& view, uint32_t index) {
  if (view.hazard(index) == Hazard::None || hazards_.contains({view.id(), index})) return;
  for (const Operand& operand : view.operands(index)) {
    if (!view.decides_hazard(index, operand)) continue;
    for (uint32_t d : operand.definitions)
      if (differs({view.id(), d}, operand.slot)) return hazard_changed({view.id(), index});
  }
}

bool Propagation::has_hazard(FunctionId function) {
  if (!views_.facts().program->function(function).in_project) return true;  // libraries are not looked into
  const auto [known, fresh] = has_hazard_.try_emplace(function, false);
  if (!fresh) return known->second;
  const FunctionView& view = views_.of(function);
  bool any = false;
  for (uint32_t i = 0; i < view.code().code.size() && !any; ++i) {
    if (!view.reachable(i)) continue;
    any = view.hazard(i) != Hazard::None || view.fails(i);
    if (!program::is_call(view.code().code[i].op)) continue;
    if (auto callees = views_.facts().callees.find({function, i}); callees != views_.facts().callees.end())
      any = any ||
            std::any_of(callees->second.begin(), callees->second.end(), [&](FunctionId f) { return has_hazard(f); });
  }
  return has_hazard_[function] = any;
}

bool Propagation::call_matters(CodeAddress at) {
  if (views_.summaries().call_interacts(at)) return true;
  const auto callees = views_.facts().callees.find(at);
  if (callees == views_.facts().callees.end()) return false;
  return std::any_of(callees->second.begin(), callees->second.end(), [&](FunctionId f) { return has_hazard(f); });
}

void Propagation::pass_arguments(const FunctionView& view, CodeAddress at, const std::vector<uint32_t>& changed) {
  const auto callees = views_.facts().callees.find(at);
  if (callees == views_.facts().callees.end()) return;
  const program::CallSite& site = view.code().calls[static_cast<size_t>(view.code().code[at.index].imm)];
  std::vector<bool> differs(site.arguments.size(), false);
  bool any = false;
  for (uint32_t k : changed)
    if (const uint32_t n = view.operands(at.index)[k].argument; n < differs.size()) differs[n] = any = true;
  for (const Operand& operand : view.operands(at.index)) {
    if (operand.argument >= differs.size()) continue;
    for (uint32_t d : operand.definitions) {
      if (this->differs({at.function, d}, operand.slot)) differs[operand.argument] = any = true;
    }
  }
  if (!any) return;
  if (analysis::library_callee(*views_.facts().program, at.function, view.code().code[at.index])) {
    for (FunctionId f : callees->second)
      parameters_changed(f);  // callbacks: which argument arrives where is not followed
    return;
  }
  for (FunctionId f : callees->second) {
    Slot slot = 0;
    for (size_t n = 0; n < site.arguments.size(); ++n)
      for (uint32_t k = 0; k < site.arguments[n].slots; ++k, ++slot)
        if (differs[n]) parameter(f, slot);
  }
}

void Propagation::parameters_changed(FunctionId function) {
  for (Slot slot = 0; slot < views_.facts().program->function(function).parameter_slots; ++slot)
    parameter(function, slot);
}

void Propagation::parameter(FunctionId function, Slot slot) {
  const auto& f = views_.facts().program->function(function);
  if (views_.facts().roles_of[function.value].empty()) return;
  if (slot >= f.parameter_slots) {  // a variadic argument: read where the list is
    if (f.variadic && parameters_.insert({function, slot}).second)
      work_.push_back([this, function] {
        const FunctionView& view = views_.of(function);
        for (uint32_t i = 0; i < view.code().code.size(); ++i)
          if (view.reachable(i) && view.code().code[i].op == Opcode::Load) value({function, i});
      });
    return;
  }
  if (!parameters_.insert({function, slot}).second) return;
  work_.push_back([this, function, slot] {
    for (uint32_t user : views_.of(function).parameter_users(slot)) consumer({function, user});
  });
}

void Propagation::result_changed(FunctionId function) {
  if (views_.facts().program->function(function).result_slots == 0) return;
  if (!results_.insert(function).second) return;
  work_.push_back([this, function] {
    const Facts& facts = views_.facts();
    for (CodeAddress at : facts.callers_of[function.value]) {
      value(at);
      if (analysis::library_callee(*facts.program, at.function, facts.program->instruction(at)))
        writes(views_.of(at.function), at.index);
    }
    const bool starts = std::any_of(facts.roles.begin() + 1, facts.roles.end(),
                                    [&](const auto& role) { return role.entry == function; });
    if (!starts) return;
    for (const Interaction& interaction : facts.interactions)
      if (interaction.kind == analysis::InteractionKind::Join) {
        value(interaction.at);
        writes(views_.of(interaction.at.function), interaction.at.index);
      }
  });
}

void Propagation::object_changed(ObjectId object) {
  if (!objects_.insert(object).second) return;
  work_.push_back([this, object] {
    for (CodeAddress at : readers(object)) {
      if (CodeGraph::is_conditional(views_.facts().program->instruction(at).op)) continue;
      if (contents_decide(at)) hazard_changed(at);
      consumer(at);
    }
  });
}

void Propagation::write_gone(ObjectId object) {
  for (const CodeAddress at : readers(object))
    if (views_.facts().program->instruction(at).op == Opcode::Load) hazard_changed(at);
}

// What a library call reads may decide how far it reads or writes: a text without an end, a shorter one, a format.
bool Propagation::contents_decide(CodeAddress at) const {
  constexpr std::string_view kReadsBySize[] = {"memcmp",          "bcmp",  "__memcmpeq", "wmemcmp", "fwrite",
                                               "fwrite_unlocked", "write", "pwrite"};
  const FunctionView& view = views_.of(at.function);
  const auto* row = analysis::library_callee(*views_.facts().program, at.function, view.code().code[at.index]);
  return row != nullptr && view.hazard(at.index) == Hazard::Fault &&
         std::find(std::begin(kReadsBySize), std::end(kReadsBySize), row->name) == std::end(kReadsBySize);
}

const std::vector<CodeAddress>& Propagation::readers(ObjectId object) {
  if (!indexed_) {
    indexed_ = true;
    const Facts& facts = views_.facts();
    for (const auto& [key, objects] : facts.operand_pointees) {
      const CodeAddress at = CodeAddress::from_bits(key / 16);
      if (facts.roles_of[at.function.value].empty()) continue;
      const auto effects = analysis::memory_effects(facts, at);
      for (ObjectId o : effects.reads)
        if (!facts.objects[o.value].shared) readers_[o].push_back(at);
    }
    for (auto& [o, list] : readers_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }
  return readers_[object];
}

}  // namespace heddle::edit
