// Calls through pointers. A function that an object names, in its virtual table or in a field, is called with this
// object and with what lies in it, not with all the objects that come by the same call: object by object the pointer
// and the arguments that belong to it are looked up together.
#include <algorithm>

#include "server/analysis/builder.h"
#include "server/library/link_names.h"

namespace heddle::analysis {
namespace {

constexpr size_t kObjectsMax = 64;  // that a call distinguishes

}  // namespace

// Where a value comes from: a definition and constants added to it.
Builder::Origin Builder::origin(Address at, Slot slot) {
  const Function& function = program.function(at.function);
  Origin result{at.index, slot, CodeGraph::kParameter, false, 0};
  for (int steps = 0; steps < 16; ++steps) {
    const auto definitions = graph(at.function).definitions(result.use, result.slot);
    result.single = definitions.size() == 1;
    if (!result.single) return result;
    result.definition = definitions[0];
    if (result.definition == CodeGraph::kParameter) return result;
    const Instruction& made = function.code[result.definition];
    if (made.op != Opcode::PointerAdd && (made.op != Opcode::Move || made.width != 64)) return result;
    if (made.op == Opcode::PointerAdd) result.offset += made.imm;
    result.use = result.definition;
    result.slot = made.a;
  }
  result.single = false;
  return result;
}

// The address that a whole pointer is loaded from; nothing if it is not.
std::optional<Builder::Origin> Builder::loaded_from(FunctionId in, const Origin& value) {
  if (!value.single || value.definition == CodeGraph::kParameter || value.offset != 0) return std::nullopt;
  const Instruction& load = program.function(in).code[value.definition];
  if (load.op != Opcode::Load || load.width != 64) return std::nullopt;
  Origin from = origin({in, value.definition}, load.a);
  from.offset += load.imm;
  return from.single ? std::optional(from) : std::nullopt;
}

// Arguments that are the object, at some offset, or lie in it.
std::vector<Builder::Given> Builder::given_by(Address at, const Origin& object) {
  const Function& function = program.function(at.function);
  const program::CallSite& site = function.calls[static_cast<size_t>(function.code[at.index].imm)];
  const auto same = [&](const Origin& other) {
    return other.single && other.definition == object.definition && other.slot == object.slot;
  };
  std::vector<Given> result;
  for (uint32_t n = 0; n < site.arguments.size() && n < 31; ++n) {
    const program::Argument& argument = site.arguments[n];
    if (argument.by_value || argument.slots != 1) continue;
    const Origin from = origin(at, argument.slot);
    if (same(from))
      result.push_back({n, from.offset, false});
    else if (const auto place = loaded_from(at.function, from); place && same(*place))
      result.push_back({n, place->offset, true});
  }
  return result;
}

// What a caller gets back is then what it gave, not what all callers gave.
std::optional<Builder::Returned> Builder::returned(FunctionId id, uint32_t result) {
  const auto [known, made] = returned_.try_emplace({id, result}, std::nullopt);
  if (!made) return known->second;  // none while it is looked for: recursive
  const Function& function = program.function(id);
  std::optional<Returned> all;
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    const Instruction& leaves = function.code[i];
    if (leaves.op != Opcode::Return || !graph(id).blocks()[graph(id).block_of(i)].reachable) continue;
    const auto here = result < leaves.b ? returned_at({id, i}, leaves.a + result) : std::nullopt;
    if (!here || (all && *all != *here)) return std::nullopt;
    all = here;
  }
  return returned_[{id, result}] = all;
}

std::optional<Builder::Returned> Builder::returned_at(Address at, Slot slot) {
  const Function& function = program.function(at.function);
  int64_t offset = 0;
  for (int steps = 0; steps < 16; ++steps) {
    const Origin from = origin(at, slot);
    if (!from.single) return std::nullopt;
    offset += from.offset;
    if (from.definition == CodeGraph::kParameter) return Returned{from.slot, offset};
    const Instruction& call = function.code[from.definition];
    if (call.op != Opcode::Call) return std::nullopt;
    const program::Binding binding = program.binding(at.function, program::SymbolId(call.a));
    if (binding.kind != program::BindingKind::Function) return std::nullopt;
    const auto same = returned(FunctionId(binding.id), from.slot - call.dst);
    if (!same) return std::nullopt;
    offset += same->offset;
    at.index = from.definition;
    slot = slot_given(function.calls[static_cast<size_t>(call.imm)], same->parameter);
    if (slot == kNoSlot) return std::nullopt;
  }
  return std::nullopt;
}

// Where a call keeps what it gives as the parameter in this slot.
Slot Builder::slot_given(const program::CallSite& site, uint32_t parameter) {
  for (const program::Argument& argument : site.arguments) {
    if (parameter < argument.slots) return argument.by_value ? kNoSlot : argument.slot + parameter;
    parameter -= argument.slots;
  }
  return kNoSlot;
}

// False: the call is not of this kind.
bool Builder::call_through(Address at) {
  const auto field = loaded_from(at.function, origin(at, program.instruction(at).a));
  if (!field) return false;
  Origin entry = *field;
  entry.offset = 0;
  // A virtual table lies between the object and the pointer; a field does not.
  const auto table = loaded_from(at.function, entry);
  std::vector<Given> given = table ? given_by(at, *table) : std::vector<Given>{};
  const bool by_table = !given.empty();
  if (!by_table) given = given_by(at, *field);
  if (given.empty()) return false;
  const Origin object = by_table ? *table : *field;
  const int64_t at_table = object.offset, at_entry = field->offset;
  const Instruction& middle = program.function(at.function).code[entry.definition];
  const bool pointer = by_table && moves_pointer(at, middle), virtual_table = by_table && moves_table(middle);
  const Node base = value({at.function, object.use}, object.slot);
  if (base == kNothing) return false;
  const auto distinguished = std::make_shared<size_t>(0);
  solver.watch_offsets(base, [=, this](Cell cell, int64_t offset) {
    if (*distinguished > kObjectsMax) return;
    if (offset == kUnknownOffset || ++*distinguished > kObjectsMax) {
      *distinguished = kObjectsMax + 1;
      return call_any(at);
    }
    const Node here = solver.make_node(), target = solver.make_node();
    solver.add(here, solver.location(cell, offset));
    if (by_table) {
      const Node tables = solver.make_node();
      if (pointer) solver.load(here, at_table, tables);
      if (virtual_table) solver.load_table(here, at_table, tables);
      solver.load(tables, at_entry, target);
    } else {
      solver.load(here, at_entry, target);
    }
    call_with(at, target, here, given);
  });
  return true;
}

void Builder::call_with(Address at, Node target, Node object, const std::vector<Given>& given) {
  uint32_t without = 0;
  for (const Given& argument : given) without |= 1u << argument.number;
  solver.watch(target, [=, this](Cell cell) {
    const Object& callee = objects[cell];
    if (callee.kind != ObjectKind::Function) return;
    if (!callee.function.valid()) return call_external(at, external_names_.at(cell));
    if (!fits(at, callee.function)) return;
    const Function& function = program.function(callee.function);
    if (function.variadic) return call_function(at, callee.function, 0);
    call_function(at, callee.function, without);
    const Function& caller = program.function(at.function);
    const program::CallSite& site = caller.calls[static_cast<size_t>(caller.code[at.index].imm)];
    for (const Given& argument : given) {
      uint32_t parameter = 0;
      for (uint32_t n = 0; n < argument.number; ++n) parameter += site.arguments[n].slots;
      if (parameter >= function.parameter_slots) continue;
      const Node to = nodes_[callee.function.value].parameters + parameter;
      argument.loaded ? solver.load(object, argument.offset, to) : solver.shift(object, argument.offset, to);
    }
  });
}

void Builder::call_any(Address at) {
  const Node target = value(at, program.instruction(at).a);
  if (target == kNothing) return;
  solver.watch(target, [this, at](Cell cell) {
    const Object& object = objects[cell];
    if (object.kind != ObjectKind::Function) return;
    if (object.function.valid()) {
      if (fits(at, object.function)) call_function(at, object.function, 0);
    } else {
      call_external(at, external_names_.at(cell));
    }
  });
}

// Of the objects that the node points to, those whose virtual table is one of the class or of a class derived from it.
Node Builder::of_class(Node objects_of, const std::string& type) {
  const Node result = solver.make_node();
  solver.watch_offsets(objects_of, [=, this](Cell cell, int64_t offset) {
    const Location place = solver.location(cell, offset);
    if (offset == kUnknownOffset) return solver.add(result, place);
    const Node here = solver.make_node(), tables = solver.make_node();
    solver.add(here, place);
    solver.load_table(here, 0, tables);
    solver.watch(tables, [=, this](Cell table) {
      if (!is_virtual_table(table) || table_is_of(table, type)) solver.copy(here, result);
    });
  });
  return result;
}

bool Builder::table_is_of(Cell table, const std::string& type) {
  if (bases_.empty())
    for (uint32_t g = 0; g < program.global_count(); ++g) {
      const program::Unit& unit = program.unit(program.unit_of(GlobalId(g)));
      const std::string& name = unit.symbols[program.global(GlobalId(g)).symbol.value].name;
      if (name.starts_with(library::kTypeInfo)) bases_[name] = types_in(GlobalId(g));
    }
  std::set<std::string> seen;
  std::vector<std::string> work = types_in(objects[table].global);
  if (work.empty()) return true;  // without type information
  while (!work.empty()) {
    const std::string name = std::move(work.back());
    work.pop_back();
    if (name == type) return true;
    if (!seen.insert(name).second) continue;
    const auto bases = bases_.find(name);
    if (bases == bases_.end()) return true;  // described elsewhere
    work.insert(work.end(), bases->second.begin(), bases->second.end());
  }
  return false;
}

// The types that a virtual table or a type's description refers to.
std::vector<std::string> Builder::types_in(GlobalId global) const {
  const program::Unit& unit = program.unit(program.unit_of(global));
  std::vector<std::string> result;
  for (const program::Relocation& relocation : program.global(global).relocations)
    if (const std::string& name = unit.symbols[relocation.symbol.value].name; name.starts_with(library::kTypeInfo))
      result.push_back(name);
  return result;
}

// A C++ function that is called with other registers than it takes is not the one that is meant. In C they are called
// so.
bool Builder::fits(Address at, FunctionId callee) const {
  const Function& caller = program.function(at.function);
  const program::CallSite& site = caller.calls[static_cast<size_t>(caller.code[at.index].imm)];
  const Function& target = program.function(callee);
  uint32_t slots = 0;
  for (const program::Argument& argument : site.arguments) slots += argument.slots;
  return target.variadic || slots == target.parameter_slots || !link_name(callee).starts_with("_Z");
}

}  // namespace heddle::analysis
