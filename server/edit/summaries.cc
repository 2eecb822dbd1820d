#include "server/edit/summaries.h"

#include <algorithm>
#include <optional>

#include "server/analysis/components.h"
#include "server/program/operands.h"

namespace heddle::edit {

Returning::Returning(const CodeGraph& graph) : blocks_(graph.blocks().size(), 0) {
  const auto& blocks = graph.blocks();
  std::vector<uint32_t> work;
  for (uint32_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].reachable && graph.function().code[blocks[b].end - 1].op == Opcode::Return)
      blocks_[b] = 1, work.push_back(b);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    for (uint32_t p : blocks[b].predecessors)
      if (!blocks_[p]) blocks_[p] = 1, work.push_back(p);
  }
}

bool Returning::catches(const CodeGraph& graph, uint32_t call) const {
  bool result = false;
  program::for_each_target(graph.function(), graph.function().code[call],
                           [&](uint32_t target) { result |= blocks_[graph.block_of(target)] != 0; });
  return result;
}

bool constant(const Facts& facts, ObjectId object) {
  const analysis::GlobalId global = facts.objects[object.value].global;
  return global.valid() && facts.program->global(global).constant;
}

struct Summaries::Own {
  ObjectSet touches, writes, returned_writes;
  ObjectSet passed;  // local variables, as arguments
  bool interacts = false;
  std::vector<uint32_t> calls, returning_calls, caught_calls;  // callees: all, before a return, whose throws are caught
  std::vector<ObjectId> frame;
};

Summaries::Summaries(const Facts& facts) : facts_(facts) {
  for (uint32_t o = 0; o < facts.objects.size(); ++o)
    if (facts.escapes_only_as_argument[o]) argument_only_.insert(ObjectId(o));
  const uint32_t count = facts.program->function_count();
  std::vector<Own> own(count);
  std::vector<ObjectId> constants;
  for (uint32_t o = 0; o < facts.objects.size(); ++o) {
    const analysis::Object& object = facts.objects[o];
    if (constant(facts, ObjectId(o))) constants.push_back(ObjectId(o));
    if (object.kind == analysis::ObjectKind::Stack && object.site.function.valid())
      own[object.site.function.value].frame.push_back(ObjectId(o));
  }
  for (uint32_t f = 0; f < count; ++f) {
    look_at(FunctionId(f), own[f]);
    own[f].writes.remove(constants);
    own[f].returned_writes.remove(constants);
  }
  all_ = join(own, &Own::calls, [&](const Own& function, Summary& into) {
    into.interacts |= function.interacts;
    into.touches.unite(function.touches);
    into.writes.unite(function.writes);
  });
  // Exceptions are made by functions that call much, which calls them: apart from them there are fewer circles.
  returned_ = join(own, &Own::returning_calls, [&](const Own& function, Summary& into) {
    into.writes.unite(function.returned_writes);
    for (uint32_t callee : function.caught_calls)
      into.writes.unite_limited(writes(FunctionId(callee)), argument_only_, function.passed);
  });
}

// Components come out callees first, so what a function calls outside its own is final.
template <typename Add>
Summaries::Joined Summaries::join(const std::vector<Own>& own, std::vector<uint32_t> Own::* calls, Add add) const {
  std::vector<std::vector<uint32_t>> graph;
  for (const Own& function : own) graph.push_back(function.*calls);
  Joined result;
  result.component.assign(own.size(), 0xffffffffu);
  analysis::for_each_component(graph, [&](const std::vector<uint32_t>& members) {
    const uint32_t number = static_cast<uint32_t>(result.summaries.size());
    for (uint32_t f : members) result.component[f] = number;
    Summary summary;
    bool circle = members.size() > 1;  // then a frame may belong to a call that has not returned
    for (uint32_t f : members) {
      add(own[f], summary);
      for (uint32_t callee : graph[f]) {
        circle |= callee == f;
        if (result.component[callee] == number) continue;
        const Summary& below = result.summaries[result.component[callee]];
        summary.interacts |= below.interacts;
        summary.touches.unite(below.touches);
        summary.writes.unite_limited(below.writes, argument_only_, own[f].passed);
      }
    }
    if (!circle) summary.writes.remove(own[members[0]].frame);
    result.summaries.push_back(std::move(summary));
  });
  return result;
}

void Summaries::look_at(FunctionId f, Own& own) const {
  for (const Interaction& interaction : facts_.interactions_of(f)) {
    own.interacts = true;
    own.touches.insert_all(interaction.objects);
    own.touches.insert_all(interaction.mutexes);
  }
  const Function& function = facts_.program->function(f);
  std::optional<CodeGraph> graph;
  std::optional<Returning> returning;
  if (std::any_of(function.calls.begin(), function.calls.end(),
                  [](const auto& site) { return site.no_return || site.unwind != program::kNoUnwind; }))
    returning.emplace(graph.emplace(analysis::make_graph(*facts_.program, f)));
  const bool runs = !facts_.roles_of[f.value].empty();
  for (uint32_t i = 0; i < function.code.size(); ++i) {
    const bool returns = !returning || returning->at(*graph, i);
    if (runs) look_at_instruction({f, i}, returns, own);
    if (const auto escapes = facts_.argument_escapes.find({f, i}); escapes != facts_.argument_escapes.end())
      own.passed.insert_all(escapes->second);
    for (FunctionId callee : callees({f, i})) {
      own.calls.push_back(callee.value);
      if (returns) own.returning_calls.push_back(callee.value);
      if (returning && returning->catches(*graph, i)) own.caught_calls.push_back(callee.value);
    }
  }
  for (auto* list : {&own.calls, &own.returning_calls, &own.caught_calls}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

void Summaries::look_at_instruction(CodeAddress at, bool returns, Own& own) const {
  const Instruction& instruction = facts_.program->instruction(at);
  const Opcode op = instruction.op;
  if (op == Opcode::Trap) own.interacts = true;
  if (op == Opcode::Call)
    if (const auto* row = analysis::library_callee(*facts_.program, at.function, instruction); row && row->fails)
      own.interacts = true;
  if (op == Opcode::Load || op == Opcode::AtomicLoad) return;
  const auto written = analysis::memory_effects(facts_, at).writes;
  own.writes.insert_all(written);
  if (returns) own.returned_writes.insert_all(written);
}

void Summaries::add_written(CodeAddress call, const ObjectSet& written, ObjectSet& to) const {
  ObjectSet passed;
  if (const auto found = facts_.argument_escapes.find(call); found != facts_.argument_escapes.end())
    passed.insert_all(found->second);
  to.unite_limited(written, argument_only_, passed);
}

std::span<const FunctionId> Summaries::callees(CodeAddress at) const {
  auto found = facts_.callees.find(at);
  return found == facts_.callees.end() ? std::span<const FunctionId>() : std::span<const FunctionId>(found->second);
}

bool Summaries::call_interacts(CodeAddress at) const {
  const auto targets = callees(at);
  return std::any_of(targets.begin(), targets.end(), [&](FunctionId f) { return interacts(f); });
}

ObjectSet Summaries::call_touches(CodeAddress at) const {
  ObjectSet result;
  for (FunctionId f : callees(at)) result.unite(touches(f));
  return result;
}

bool Summaries::recurses(CodeAddress at) const {
  const auto called = callees(at);
  return std::any_of(called.begin(), called.end(),
                     [&](FunctionId f) { return all_.component[f.value] == all_.component[at.function.value]; });
}

bool Summaries::leaves_project(CodeAddress at) const {
  const auto targets = callees(at);
  return std::any_of(targets.begin(), targets.end(),
                     [&](FunctionId f) { return !facts_.program->function(f).in_project; });
}

}  // namespace heddle::edit
