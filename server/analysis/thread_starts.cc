#include "server/analysis/thread_starts.h"

#include <algorithm>
#include <set>

#include "server/program/print.h"

namespace heddle::analysis {
namespace {

// "std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)(int), int>>>::_M_run"
bool holds_pointer_to_function(const std::string& entry) {
  constexpr std::string_view kBefore = "_Invoker<std::tuple<";
  const size_t begin = entry.find(kBefore);
  if (begin == std::string::npos) return false;
  const size_t pointer = entry.find("(*)(", begin);
  return pointer != std::string::npos && pointer < entry.find_first_of(",<", begin + kBefore.size());
}

}  // namespace

ThreadStarts::Start ThreadStarts::of(FunctionId entry) const {
  Start start;
  start.entry = entry;
  start.library.assign(builder_.program.function_count(), false);
  if (builder_.program.function(entry).in_project) return start;
  std::vector<FunctionId> work{entry};
  start.library[entry.value] = true;
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (auto edge = builder_.calls.lower_bound({{f, 0}, FunctionId(0)});
         edge != builder_.calls.end() && edge->at.function == f; ++edge) {
      const bool ours = builder_.program.function(edge->callee).in_project;
      if (ours && builder_.program.instruction(edge->at).op == Opcode::CallIndirect)
        start.callables.push_back(edge->callee);
      else if (!ours && !start.library[edge->callee.value])
        start.library[edge->callee.value] = true, work.push_back(edge->callee);
    }
  }
  std::sort(start.callables.begin(), start.callables.end());
  start.callables.erase(std::unique(start.callables.begin(), start.callables.end()), start.callables.end());
  start.told_apart =
      start.callables.size() > 1 && holds_pointer_to_function(builder_.program.function(entry).display_name);
  return start;
}

std::vector<FunctionId> ThreadStarts::reachable(const Start& start, FunctionId callable) const {
  std::vector<uint8_t> seen(builder_.program.function_count(), 0);
  std::vector<FunctionId> work, result;
  const auto reach = [&](FunctionId f) {
    if (!seen[f.value]) seen[f.value] = 1, work.push_back(f);
  };
  reach(start.entry);
  if (const auto last = builder_.at_end.find(start.entry); last != builder_.at_end.end())
    for (FunctionId f : last->second) reach(f);
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    result.push_back(f);
    for (auto edge = builder_.calls.lower_bound({{f, 0}, FunctionId(0)});
         edge != builder_.calls.end() && edge->at.function == f; ++edge) {
      const bool other = start.told_apart && start.library[f.value] && edge->callee != callable &&
                         std::binary_search(start.callables.begin(), start.callables.end(), edge->callee) &&
                         builder_.program.instruction(edge->at).op == Opcode::CallIndirect;
      if (!other) reach(edge->callee);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
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
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " or ") + name;
  return text;
}

std::vector<CodeAddress> ThreadStarts::given_at(CodeAddress creation, FunctionId callable) const {
  std::vector<CodeAddress> calls, result;
  for (const Builder::CallEdge& edge : builder_.calls)
    if (edge.callee == creation.function) calls.push_back(edge.at);
  std::vector<uint8_t> known(calls.size(), 0);
  for (const Builder::Access& access : builder_.passed) {
    const auto call = std::lower_bound(calls.begin(), calls.end(), access.at);
    if (call == calls.end() || *call != access.at) continue;
    for (Cell cell : builder_.solver.objects(access.node)) {
      if (builder_.objects[cell].kind != ObjectKind::Function) continue;
      known[static_cast<size_t>(call - calls.begin())] = 1;
      if (builder_.objects[cell].function == callable) result.push_back(access.at);
    }
  }
  if (std::count(known.begin(), known.end(), 0) > 0) return {};
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace heddle::analysis
