#include "server/analysis/thread_starts.h"

#include <algorithm>
#include <map>
#include <set>

#include "server/program/print.h"

namespace heddle::analysis {
namespace {

// May the second of two instructions run after the first, in one execution of their function?
bool follows(const CodeGraph& graph, uint32_t first, uint32_t second) {
  const uint32_t from = graph.block_of(first), to = graph.block_of(second);
  if (from == to && (first < second || graph.blocks()[from].in_loop)) return true;
  std::vector<bool> seen(graph.blocks().size(), false);
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    const uint32_t block = work.back();
    work.pop_back();
    for (const uint32_t next : graph.blocks()[block].successors) {
      if (next == to) return true;
      if (!seen[next]) seen[next] = true, work.push_back(next);
    }
  }
  return false;
}

}  // namespace

// A thread's way to its callable is one chain of calls when no function on it can make two such calls. It then runs one
// callable, and the code on the ways to the others is none of its own.
Start ThreadStarts::of(FunctionId entry) const {
  Start start;
  start.entry = entry;
  const program::Program& program = builder_.program;
  if (program.function(entry).in_project) return start;
  const std::vector<Builder::CallEdge> calls = code_.starting(entry);
  std::map<FunctionId, std::vector<FunctionId>> callers;  // in the library, and of callables
  std::set<FunctionId> library;
  for (const Builder::CallEdge& edge : calls) {
    const bool callable = invokes(builder_, edge);
    if (program.function(edge.callee).in_project && !callable) continue;
    library.insert(edge.at.function);
    callers[edge.callee].push_back(edge.at.function);
    if (callable) start.callables.push_back(edge.callee);
  }
  std::sort(start.callables.begin(), start.callables.end());
  start.callables.erase(std::unique(start.callables.begin(), start.callables.end()), start.callables.end());
  for (const FunctionId callable : start.callables) {
    std::vector<bool>& leads = start.leads.emplace_back(program.function_count(), false);
    std::vector<FunctionId> work = callers[callable];
    while (!work.empty()) {
      const FunctionId f = work.back();
      work.pop_back();
      if (leads[f.value]) continue;
      leads[f.value] = true;
      const auto above = callers.find(f);
      if (above != callers.end()) work.insert(work.end(), above->second.begin(), above->second.end());
    }
  }
  start.by_pointer.assign(start.callables.size(), true);
  for (const Builder::CallEdge& edge : calls)
    if (invokes(builder_, edge) && program.instruction(edge.at).op != Opcode::CallIndirect)
      start.by_pointer[start.index_of(edge.callee)] = false;
  const bool distinguished =
      start.callables.size() > 1 && std::all_of(library.begin(), library.end(), [&](FunctionId f) {
        return !start.leads_anywhere(f) || one_way(start, calls, f);
      });
  if (!distinguished) start = {.entry = entry};
  return start;
}

bool ThreadStarts::one_way(const Start& start, const std::vector<Builder::CallEdge>& edges, FunctionId f) const {
  const CodeGraph& graph = *builder_.graphs[f.value];
  std::set<uint32_t> calls;  // that lead to a callable
  for (const Builder::CallEdge& edge : edges)
    if (edge.at.function == f && (invokes(builder_, edge) || start.leads_anywhere(edge.callee)))
      calls.insert(edge.at.index);
  for (const uint32_t call : calls) {
    const library::Function* row = library_callee(builder_.program, f, builder_.program.instruction({f, call}));
    if (row && row->interaction != InteractionKind::Once) return false;  // calls back as often as it likes
    for (const uint32_t other : calls)
      if (follows(graph, call, other)) return false;
  }
  return true;
}

std::string ThreadStarts::name(const Start& start, FunctionId callable) const {
  const program::Program& program = builder_.program;
  const auto states = builder_.states.find(start.entry);
  if (callable.valid()) return program::entry_name(program, callable);
  if (states == builder_.states.end() || program::project_entry(program, start.entry).valid())
    return program::entry_name(program, start.entry);
  std::vector<Cell> level;
  for (const Node node : states->second)
    for (const Cell cell : builder_.solver.objects(node)) level.push_back(cell);
  std::set<std::string> names;
  for (int depth = 0; depth < 2 && names.empty(); ++depth) {  // std::async keeps the pointer in an object of its own
    std::vector<Cell> held;
    for (const Cell cell : level)
      for (const Cell inside : builder_.solver.contents(cell)) {
        const Object& object = builder_.objects[inside];
        if (object.kind == ObjectKind::Heap)
          held.push_back(inside);
        else if (object.kind == ObjectKind::Function && object.function.valid() &&
                 program::project_entry(program, object.function).valid())
          names.insert(program::entry_name(program, object.function));
      }
    level = std::move(held);
  }
  if (names.empty()) return program::entry_name(program, start.entry);
  constexpr size_t kNamed = 3;  // of more the first two and how many there are
  const size_t named = names.size() > kNamed ? kNamed - 1 : names.size();
  std::string text;
  for (auto name = names.begin(); name != std::next(names.begin(), static_cast<std::ptrdiff_t>(named)); ++name)
    text += (text.empty() ? "" : " or ") + *name;
  return named == names.size() ? text : text + " or " + std::to_string(names.size() - named) + " more";
}

// Who makes the threads of a creation in the library.
struct ThreadStarts::Givers {
  std::vector<bool> library;                              // FunctionId -> leads there without the project's code
  std::vector<std::pair<CodeAddress, FunctionId>> calls;  // of the project, and what they call
  std::map<FunctionId, uint32_t> creations = {};          // by one call, as far as it is known
  bool all = true;                                        // no other code starts such threads
};

ThreadStarts::Givers ThreadStarts::givers(CodeAddress creation) const {
  const program::Program& program = builder_.program;
  Givers result;
  result.library.assign(program.function_count(), false);
  result.all = !program.function(creation.function).in_project;
  if (!result.all) return result;
  std::multimap<FunctionId, CodeAddress> callers;
  for (const Builder::CallEdge& edge : builder_.calls) callers.emplace(edge.callee, edge.at);
  std::vector<FunctionId> work{creation.function};
  result.library[creation.function.value] = true;
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    const auto [first, last] = callers.equal_range(f);
    result.all = result.all && first != last &&
                 std::none_of(builder_.creations.begin(), builder_.creations.end(),
                              [f](const Builder::Creation& other) { return other.entry == f; });
    for (auto caller = first; caller != last; ++caller) {
      const FunctionId by = caller->second.function;
      if (program.function(by).in_project)
        result.calls.emplace_back(caller->second, f);
      else if (!result.library[by.value])
        result.library[by.value] = true, work.push_back(by);
    }
  }
  return result;
}

// How many threads one call of the library's function makes at most; 2 for several, and while it is looked for:
// recursion.
uint32_t ThreadStarts::creations_of(Givers& givers, FunctionId f, CodeAddress creation) const {
  const auto [known, is_new] = givers.creations.try_emplace(f, 2);
  if (!is_new) return known->second;
  const CodeGraph& graph = *builder_.graphs[f.value];
  std::map<uint32_t, uint32_t> calls;  // by index: threads that it makes
  if (creation.function == f) calls[creation.index] = 1;
  for (auto edge = builder_.calls.lower_bound({{f, 0}, FunctionId(0)});
       edge != builder_.calls.end() && edge->at.function == f; ++edge) {
    if (!givers.library[edge->callee.value]) continue;
    const library::Function* row = library_callee(builder_.program, f, builder_.program.instruction(edge->at));
    const uint32_t made =
        row && row->interaction != InteractionKind::Once ? 2 : creations_of(givers, edge->callee, creation);
    calls[edge->at.index] = std::max(calls[edge->at.index], made);
  }
  uint32_t most = 0;
  for (const auto& [call, made] : calls) {
    most = std::max(most, made);
    for (const auto& [other, more] : calls)
      if (follows(graph, call, other)) most = 2;
  }
  return givers.creations[f] = most;
}

// Functions that run for other reasons than these calls, too.
std::vector<bool> ThreadStarts::elsewhere(const Givers& givers) const {
  std::vector<bool> result(builder_.program.function_count(), false);
  std::vector<FunctionId> work = builder_.roots;
  for (const Builder::Creation& creation : builder_.creations) work.push_back(creation.entry);
  for (const auto& [entry, last] : builder_.at_end) work.insert(work.end(), last.begin(), last.end());
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    if (result[f.value]) continue;
    result[f.value] = true;
    for (auto edge = builder_.calls.lower_bound({{f, 0}, FunctionId(0)});
         edge != builder_.calls.end() && edge->at.function == f; ++edge)
      if (std::find(givers.calls.begin(), givers.calls.end(), std::pair(edge->at, edge->callee)) == givers.calls.end())
        work.push_back(edge->callee);
  }
  return result;
}

// Which of the callables the call may give: those that are called through pointers lie in what it is given. Blocks that
// only such calls allocate are what threads are made of: what lies there was given to one of them.
std::vector<bool> ThreadStarts::given_by(const Start& start, const std::vector<bool>& elsewhere,
                                         CodeAddress call) const {
  std::vector<bool> seen(builder_.objects.size(), false);
  std::vector<Cell> work;
  const auto reach = [&](const std::vector<Cell>& cells) {
    for (const Cell cell : cells) {
      const Object& object = builder_.objects[cell];
      const bool made_here =
          object.kind == ObjectKind::Heap && object.site.function.valid() && !elsewhere[object.site.function.value];
      if (!seen[cell] && !made_here) seen[cell] = true, work.push_back(cell);
    }
  };
  for (const Builder::Access& passed : builder_.passed)
    if (passed.at == call) reach(builder_.solver.objects(passed.node));
  while (!work.empty()) {
    const Cell cell = work.back();
    work.pop_back();
    if (builder_.objects[cell].kind != ObjectKind::Function) reach(builder_.solver.contents(cell));
  }
  std::vector<bool> result;
  bool known = false;
  for (size_t n = 0; n < start.callables.size(); ++n) {
    const Cell cell = builder_.cell_of(start.callables[n]);
    const bool found = start.by_pointer[n] && cell != kNothing && seen[cell];
    known = known || found;
    result.push_back(found || !start.by_pointer[n]);
  }
  return known ? result : std::vector<bool>(start.callables.size(), true);
}

std::vector<uint32_t> ThreadStarts::instances(const Start& start, CodeAddress creation,
                                              const std::function<uint32_t(CodeAddress)>& times) const {
  std::vector<uint32_t> result(start.callables.size(), 0);
  Givers all = givers(creation);
  if (!all.all) {
    for (uint32_t& of_one : result) of_one = times(creation);
    return result;
  }
  const std::vector<bool> others = elsewhere(all);
  for (const auto& [call, first] : all.calls) {
    const uint32_t made = times(call) * creations_of(all, first, creation);
    const std::vector<bool> given = given_by(start, others, call);
    for (size_t n = 0; n < result.size(); ++n)
      if (given[n]) result[n] = std::min(2u, result[n] + made);
  }
  return result;
}

}  // namespace heddle::analysis
