#include "server/edit/hidden.h"

#include <algorithm>

namespace heddle::edit {
namespace {

// What library code writes to streams may go to the terminal, which no thread reads.
constexpr library::HiddenStates kOfProjectAlone = library::kError;

// Functions that the calls may run.
std::set<FunctionId> run_by(const Facts& facts, const std::vector<CodeAddress>& calls) {
  std::set<FunctionId> seen;
  std::vector<FunctionId> work;
  const auto enter = [&](CodeAddress call) {
    const auto callees = facts.callees.find(call);
    if (callees == facts.callees.end()) return;
    for (FunctionId callee : callees->second)
      if (seen.insert(callee).second) work.push_back(callee);
  };
  for (const CodeAddress call : calls) enter(call);
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    const auto& code = facts.program->function(f).code;
    for (uint32_t i = 0; i < code.size(); ++i)
      if (program::is_call(code[i].op)) enter({f, i});
  }
  return seen;
}

template <typename Visit>
void for_each_use(const Facts& facts, FunctionId f, Visit visit) {
  const auto& code = facts.program->function(f).code;
  for (uint32_t i = 0; i < code.size(); ++i)
    if (code[i].op == Opcode::Call) visit(CodeAddress{f, i}, hidden_use_at(facts, {f, i}));
}

bool in_loop(Views& views, CodeAddress call) {
  std::set<FunctionId> seen;
  std::vector<CodeAddress> work{call};
  while (!work.empty()) {
    const CodeAddress at = work.back();
    work.pop_back();
    const CodeGraph& graph = views.of(at.function).graph();
    const uint32_t block = graph.block_of(at.index);
    if (std::any_of(graph.loops().begin(), graph.loops().end(), [&](const auto& loop) { return loop.has(block); }))
      return true;
    if (!seen.insert(at.function).second) continue;
    for (CodeAddress caller : views.facts().callers_of[at.function.value])
      if (!views.facts().roles_of[caller.function.value].empty()) work.push_back(caller);
  }
  return false;
}

bool pauses_at(const Facts& facts, CodeAddress at) {
  const auto* row = analysis::library_callee(*facts.program, at.function, facts.program->instruction(at));
  return row != nullptr && row->has(library::Flag::Pauses);
}

bool is_model(const Facts& facts, CodeAddress at) {
  const program::Binding binding =
      facts.program->binding(at.function, program::SymbolId(facts.program->instruction(at).a));
  return binding.kind == program::BindingKind::External &&
         std::string_view(facts.program->externals()[binding.id].name).starts_with(library::kModelOf);
}

}  // namespace

library::HiddenUse hidden_use_at(const Facts& facts, CodeAddress at) {
  const auto* row = analysis::library_callee(*facts.program, at.function, facts.program->instruction(at));
  if (!row) return {};
  library::HiddenUse use = row->hidden;
  if (facts.program->function(at.function).in_project) return use;
  // A stream of a library is the terminal, which no thread reads; its functions read errno for themselves. But
  // std::log2(float) is a call of log2f(), and our own text of mbrtowc() is one of the model of that name.
  use.reads &= ~kOfProjectAlone;
  if (!library::only_sets_errno(*row) && !is_model(facts, at)) use.writes &= ~kOfProjectAlone;
  if (row->has(library::Flag::Puts)) use.writes &= ~library::kContents;
  return use;
}

library::HiddenStates hidden_writes(const Facts& facts, const EditedCalls& calls) {
  library::HiddenStates result = 0;
  for (const auto* list : {&calls.whole, &calls.arguments})
    for (const CodeAddress at : *list) result |= hidden_use_at(facts, at).writes;
  for (const FunctionId f : run_by(facts, calls.whole))
    for_each_use(facts, f, [&](CodeAddress, const library::HiddenUse& use) { result |= use.writes; });
  return result;
}

library::HiddenStates hidden_reads(const Facts& facts) {
  library::HiddenStates result = 0;
  for (uint32_t f = 0; f < facts.program->function_count(); ++f)
    if (!facts.roles_of[f].empty())
      for_each_use(facts, FunctionId(f), [&](CodeAddress, const library::HiddenUse& use) { result |= use.reads; });
  return result;
}

bool pauses_in_loop(Views& views, const EditedCalls& calls) {
  const Facts& facts = views.facts();
  std::set<FunctionId> pausing;  // themselves, or by what they call
  std::vector<FunctionId> work;
  for (const FunctionId f : run_by(facts, calls.whole)) {
    bool pauses = false;
    for_each_use(facts, f, [&](CodeAddress at, const library::HiddenUse&) { pauses |= pauses_at(facts, at); });
    if (pauses && pausing.insert(f).second) work.push_back(f);
  }
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const CodeAddress caller : facts.callers_of[f.value])
      if (pausing.insert(caller.function).second) work.push_back(caller.function);
  }
  return std::any_of(calls.whole.begin(), calls.whole.end(), [&](CodeAddress at) {
    bool pauses = pauses_at(facts, at);
    if (const auto callees = facts.callees.find(at); callees != facts.callees.end())
      for (const FunctionId callee : callees->second) pauses |= pausing.contains(callee);
    return pauses && in_loop(views, at);
  });
}

}  // namespace heddle::edit
