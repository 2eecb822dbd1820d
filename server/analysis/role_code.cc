#include "server/analysis/role_code.h"

#include <algorithm>
#include <map>

namespace heddle::analysis {

using program::BindingKind;

bool Start::leads_anywhere(FunctionId f) const {
  return std::any_of(leads.begin(), leads.end(), [f](const std::vector<bool>& to_one) { return to_one[f.value]; });
}

bool Start::may_run(FunctionId f) const { return std::binary_search(callables.begin(), callables.end(), f); }

size_t Start::index_of(FunctionId callable) const {
  return static_cast<size_t>(std::lower_bound(callables.begin(), callables.end(), callable) - callables.begin());
}

bool invokes(const Builder& builder, const Builder::CallEdge& edge) {
  return !builder.program.function(edge.at.function).in_project && builder.program.function(edge.callee).in_project &&
         builder.program.function(edge.at.function).display_name == "std::__invoke_impl";
}

// If only local variables contain a function, and no other function sees them, the functions that name it call it.
RoleCode::RoleCode(const Builder& builder)
    : builder_(builder),
      carried_(builder.program.function_count(), false),
      named_(builder.program.function_count()),
      looked_at_(builder.program.function_count(), false) {
  std::vector<bool> seen(builder_.objects.size(), false);
  std::vector<Cell> work;
  const auto reach = [&](const std::vector<Cell>& cells) {
    for (const Cell cell : cells)
      if (!seen[cell]) seen[cell] = true, work.push_back(cell);
  };
  for (Cell cell = 0; cell < builder_.objects.size(); ++cell) {
    const ObjectKind kind = builder_.objects[cell].kind;
    if (kind != ObjectKind::Stack && kind != ObjectKind::ThreadLocal && kind != ObjectKind::Function) reach({cell});
    if (kind != ObjectKind::ThreadLocal || !builder_.objects[cell].global.valid()) continue;
    const program::UnitId unit = builder_.program.unit_of(builder_.objects[cell].global);
    for (const program::Relocation& initial : builder_.program.global(builder_.objects[cell].global).relocations)
      if (const auto binding = builder_.program.binding(unit, initial.symbol); binding.kind == BindingKind::Function)
        carried_[binding.id] = true;
  }
  for (const Node node : builder_.escaping) reach(builder_.solver.objects(node));
  while (!work.empty()) {
    const Cell cell = work.back();
    work.pop_back();
    const Object& object = builder_.objects[cell];
    if (object.kind != ObjectKind::Function)
      reach(builder_.solver.contents(cell));
    else if (object.function.valid())
      carried_[object.function.value] = true;
  }
}

const std::vector<FunctionId>& RoleCode::named_in(FunctionId f) const {
  if (looked_at_[f.value]) return named_[f.value];
  looked_at_[f.value] = true;
  for (const Instruction& i : builder_.program.function(f).code) {
    if (i.op != Opcode::SymbolAddress) continue;
    const program::Binding binding = builder_.program.named(f, program::SymbolId(i.a));
    if (binding.kind == BindingKind::Function) named_[f.value].push_back(FunctionId(binding.id));
  }
  return named_[f.value];
}

struct RoleCode::Walk {
  explicit Walk(const program::Program& program)
      : seen(program.function_count(), 0), named(program.function_count(), false) {}
  const Start* start = nullptr;
  size_t callable = 0;        // index into the start's, if there is one
  std::vector<uint8_t> seen;  // FunctionId -> bit 0: later on, bit 1: while it starts
  std::vector<bool> named;    // FunctionId -> its address is taken by code that is reached
  std::multimap<FunctionId, std::pair<Builder::CallEdge, bool>> waiting;  // calls, should the address be taken
  std::vector<std::pair<FunctionId, bool>> work = {};                     // and whether the thread starts
  std::vector<Builder::CallEdge>* edges = nullptr;  // only the library's: where the calls that start go

  void reach(FunctionId f, bool starting) {
    const uint8_t bit = starting ? 2 : 1;
    if (!(seen[f.value] & bit)) seen[f.value] |= bit, work.push_back({f, starting});
  }
};

void RoleCode::follow(Walk& walk, const Builder::CallEdge& edge, bool starting) const {
  const bool still = starting && !builder_.program.function(edge.callee).in_project;
  if (walk.edges) walk.edges->push_back(edge);
  if (still || !walk.edges) walk.reach(edge.callee, still);
}

void RoleCode::step(Walk& walk, FunctionId f, bool starting) const {
  for (const FunctionId named : named_in(f)) {
    walk.named[named.value] = true;
    const auto [first, last] = walk.waiting.equal_range(named);
    for (auto call = first; call != last; ++call) follow(walk, call->second.first, call->second.second);
    walk.waiting.erase(first, last);
  }
  for (auto edge = builder_.calls.lower_bound({{f, 0}, FunctionId(0)});
       edge != builder_.calls.end() && edge->at.function == f; ++edge) {
    const FunctionId callee = edge->callee;
    if (starting && walk.start && walk.start->leads_to(walk.callable, f)) {
      const bool other = invokes(builder_, *edge)
                             ? callee != walk.start->callables[walk.callable] && walk.start->may_run(callee)
                             : walk.start->leads_anywhere(callee) && !walk.start->leads_to(walk.callable, callee);
      if (other) continue;
    }
    if (builder_.program.instruction(edge->at).op == Opcode::CallIndirect && !carried_[callee.value] &&
        !walk.named[callee.value])
      walk.waiting.emplace(callee, std::pair(*edge, starting));
    else
      follow(walk, *edge, starting);
  }
}

std::vector<FunctionId> RoleCode::from(const std::vector<FunctionId>& roots) const {
  Walk walk(builder_.program);
  for (const FunctionId root : roots) walk.reach(root, false);
  return finish(walk);
}

std::vector<Builder::CallEdge> RoleCode::starting(FunctionId entry) const {
  Walk walk(builder_.program);
  std::vector<Builder::CallEdge> result;
  walk.edges = &result;
  walk.reach(entry, true);
  finish(walk);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<FunctionId> RoleCode::from(const Start& start, FunctionId callable) const {
  Walk walk(builder_.program);
  if (callable.valid()) {
    walk.start = &start;
    walk.callable = start.index_of(callable);
  }
  walk.reach(start.entry, callable.valid());
  if (const auto last = builder_.at_end.find(start.entry); last != builder_.at_end.end())
    for (const FunctionId f : last->second) walk.reach(f, false);
  return finish(walk);
}

std::vector<FunctionId> RoleCode::finish(Walk& walk) const {
  std::vector<FunctionId> result;
  while (!walk.work.empty()) {
    const auto [f, starting] = walk.work.back();
    walk.work.pop_back();
    step(walk, f, starting);
  }
  for (uint32_t f = 0; f < walk.seen.size(); ++f)
    if (walk.seen[f]) result.push_back(FunctionId(f));
  return result;
}

}  // namespace heddle::analysis
