#include "benchmarks/choices/role_objects.h"

#include <algorithm>

namespace heddle::bench {

using analysis::CodeGraph;
using analysis::ObjectId;
using analysis::RoleId;
using program::CodeAddress;
using program::FunctionId;
using program::Instruction;
using program::Opcode;
using program::Slot;

RoleObjects::RoleObjects(const analysis::Facts& facts, const std::vector<std::unique_ptr<CodeGraph>>& graphs)
    : facts_(facts), graphs_(graphs) {
  for (const analysis::Object& object : facts.objects)
    if (object.kind == analysis::ObjectKind::Function) address_taken_.insert(object.function);
  for (const analysis::Role& role : facts.roles) {
    Parameters parameters(facts.program->function_count());
    for (const FunctionId f : role.reachable) {
      Given unseen;
      unseen.anything = f == role.entry || is_called_unseen(f);
      parameters[f.value].assign(facts.program->function(f).parameter_slots, unseen);
    }
    for (bool grew = true; grew;) {
      grew = false;
      for (const FunctionId f : role.reachable)
        for (const CodeAddress at : facts.callers_of[f.value])
          if (std::binary_search(role.reachable.begin(), role.reachable.end(), at.function))
            grew |= add_call(at, f, parameters);
    }
    given_.push_back(std::move(parameters));
  }
}

bool RoleObjects::is_called_unseen(FunctionId function) const {
  return address_taken_.contains(function) || facts_.callers_of[function.value].empty();
}

ObjectId RoleObjects::whole(ObjectId object) const {
  const ObjectId of = facts_.objects[object.value].whole;
  return of.valid() ? of : object;
}

bool RoleObjects::add_call(CodeAddress at, FunctionId callee, Parameters& parameters) const {
  const program::Function& caller = facts_.program->function(at.function);
  std::vector<Given>& given = parameters[callee.value];
  bool grew = false;
  const auto give_anything = [&](size_t slot) {
    grew |= slot < given.size() && !given[slot].anything;
    if (slot < given.size()) given[slot].anything = true;
  };
  if (caller.code[at.index].op != Opcode::Call) {
    for (size_t slot = 0; slot < given.size(); ++slot) give_anything(slot);
    return grew;
  }
  const auto& arguments = caller.calls[static_cast<size_t>(caller.code[at.index].imm)].arguments;
  size_t slot = 0;
  for (uint32_t n = 0; n < arguments.size() && slot < given.size(); slot += arguments[n++].slots) {
    const auto from = parameter(at, arguments[n].slot);
    const Given* passed =
        from && *from < parameters[at.function.value].size() ? &parameters[at.function.value][*from] : nullptr;
    if (n >= 15 || arguments[n].slots != 1 || arguments[n].by_value > 0) {
      give_anything(slot);
    } else if (passed != nullptr && !passed->anything) {
      for (const ObjectId object : passed->objects) grew |= given[slot].objects.insert(object).second;
    } else {
      for (const ObjectId object : facts_.pointees(at, n)) grew |= given[slot].objects.insert(whole(object)).second;
    }
  }
  return grew;
}

// The slot of the parameter that the value comes from, by offsets and copies alone.
std::optional<Slot> RoleObjects::parameter(CodeAddress at, Slot slot, unsigned depth) const {
  const auto definitions = graphs_[at.function.value]->definitions(at.index, slot);
  if (depth == 0 || definitions.size() != 1) return std::nullopt;
  if (definitions[0] == CodeGraph::kParameter) return slot;
  const Instruction& from = facts_.program->function(at.function).code[definitions[0]];
  if (from.op != Opcode::Move && from.op != Opcode::PointerAdd && from.op != Opcode::PointerIndex) return std::nullopt;
  return parameter({at.function, definitions[0]}, from.a, depth - 1);
}

std::vector<ObjectId> RoleObjects::objects(RoleId role, const analysis::Interaction& access) const {
  const Instruction& instruction = facts_.program->function(access.at.function).code[access.at.index];
  if (instruction.op != Opcode::Load && instruction.op != Opcode::Store) return access.objects;
  if (!graphs_[access.at.function.value]) return access.objects;
  const auto from = parameter(access.at, instruction.a);
  const auto& given = given_[role.value][access.at.function.value];
  if (!from || *from >= given.size() || given[*from].anything) return access.objects;
  for (const ObjectId object : given[*from].objects)
    if (facts_.objects[object.value].kind == analysis::ObjectKind::Unknown) return access.objects;
  std::vector<ObjectId> left;
  for (const ObjectId object : access.objects)
    if (facts_.objects[object.value].kind == analysis::ObjectKind::Unknown ||
        given[*from].objects.contains(whole(object)))
      left.push_back(object);
  return left;
}

}  // namespace heddle::bench
