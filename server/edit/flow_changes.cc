#include "server/edit/flow_changes.h"

#include <algorithm>
#include <map>

#include "server/edit/forward_marks.h"

namespace heddle::edit {
namespace {

// For each of the code indices, the loops in which it stands: each by the numbers of those that stand in it.
std::vector<std::vector<std::vector<uint32_t>>> loops_of(const CodeGraph& graph, const std::vector<uint32_t>& indices) {
  std::vector<std::vector<std::vector<uint32_t>>> result(indices.size());
  for (const CodeGraph::Loop& loop : graph.loops()) {
    std::vector<uint32_t> inside;
    for (uint32_t k = 0; k < indices.size(); ++k)
      if (loop.has(graph.block_of(indices[k]))) inside.push_back(k);
    for (const uint32_t k : inside) result[k].push_back(inside);
  }
  for (auto& loops : result) std::sort(loops.begin(), loops.end());
  return result;
}

// Where the lives of a function's variables begin and end.
class Lives {
 public:
  explicit Lives(const FunctionView& view) : view_(view) {
    const auto& code = view.code().code;
    for (uint32_t i = 0; i < code.size(); ++i) {
      if ((code[i].op != Opcode::LifetimeStart && code[i].op != Opcode::LifetimeEnd) || !view.reachable(i)) continue;
      for (const uint32_t d : view.graph().definitions(i, code[i].a))
        if (d != CodeGraph::kParameter && code[d].op == Opcode::StackAllocate)
          marks_[code[d].b].emplace_back(i, code[i].op == Opcode::LifetimeEnd);
    }
  }

  // At which instructions it may have ended.
  std::vector<bool> ended(uint32_t object) const {
    std::vector<MarkKind> marks(view_.code().code.size(), MarkKind::None);
    if (const auto found = marks_.find(object); found != marks_.end())
      for (const auto& [index, ends] : found->second) marks[index] = ends ? MarkKind::Begins : MarkKind::Ends;
    return may_hold(view_, marks);
  }

 private:
  const FunctionView& view_;
  std::map<uint32_t, std::vector<std::pair<uint32_t, bool>>> marks_;  // stack object -> where, and whether it ends
};

// What follows the end of every life, and what cannot use a variable.
bool leaves(const FunctionView& view, uint32_t index) {
  return view.code().code[index].op == Opcode::Return || view.fails(index);
}

std::vector<uint32_t> accesses_where(const FunctionView& view, const std::vector<bool>& marked) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < marked.size(); ++i) {
    const Opcode op = view.code().code[i].op;
    const bool accesses = op == Opcode::Load || op == Opcode::Store || op == Opcode::MemoryCopy;
    if (marked[i] && accesses && view.reachable(i)) found.push_back(i);
  }
  return found;
}

ObjectId allocated(const Facts& facts, const FunctionView& view, uint32_t stack_object) {
  const auto& code = view.code().code;
  for (uint32_t i = 0; i < code.size(); ++i)
    if (code[i].op == Opcode::StackAllocate && code[i].b == stack_object)
      return facts.object_of(CodeAddress{view.id(), i});
  return {};
}

bool touches(const FunctionView& view, uint32_t index, ObjectId object) {
  const auto& memory = view.memory(index);
  const auto has = [&](const std::vector<ObjectId>& objects) {
    return std::find(objects.begin(), objects.end(), object) != objects.end();
  };
  return object.valid() && (has(memory.reads) || has(memory.writes));
}

}  // namespace

std::vector<size_t> in_other_loops(const FunctionView& before, const FunctionView& after, const Pairs& pairs) {
  if (before.graph().loops().empty() && after.graph().loops().empty()) return {};
  std::vector<uint32_t> old_indices, new_indices;
  for (const auto& [old_index, new_index] : pairs) {
    old_indices.push_back(old_index);
    new_indices.push_back(new_index);
  }
  const auto then = loops_of(before.graph(), old_indices), now = loops_of(after.graph(), new_indices);
  std::vector<size_t> result;
  for (size_t k = 0; k < pairs.size(); ++k)
    if (then[k] != now[k]) result.push_back(k);
  return result;
}

std::vector<Outlived> after_ends_of_lives(const Facts& facts, const FunctionView& before, const FunctionView& after,
                                          const Versions::Stack& stack, const Pairs& pairs) {
  std::vector<Outlived> result;
  const Lives then(before), now(after);
  for (uint32_t n = 0; n < stack.after.size(); ++n) {
    const std::vector<bool> ended = now.ended(n);
    if (std::find(ended.begin(), ended.end(), true) == ended.end()) continue;
    const auto counterpart = std::find(stack.before.begin(), stack.before.end(), stack.after[n]);
    const bool is_new = counterpart == stack.before.end();
    const std::vector<bool> had_ended =
        is_new ? std::vector<bool>() : then.ended(static_cast<uint32_t>(counterpart - stack.before.begin()));
    const bool temporary =
        after.code().stack_objects[n].name.empty();  // they end all the time, and only order names them
    if (!is_new && !temporary)
      for (const auto& [old_index, new_index] : pairs)
        if (ended[new_index] && !had_ended[old_index] && !leaves(after, new_index)) result.push_back({new_index, n});
    // Accesses have no order among their like: more of them than before.
    const std::vector<uint32_t> accesses = accesses_where(after, ended);
    if (is_new) {
      const ObjectId object = allocated(facts, after, n);
      for (const uint32_t i : accesses)
        if (touches(after, i, object)) result.push_back({i, n});
    } else if (accesses.size() > accesses_where(before, had_ended).size()) {
      for (const uint32_t i : accesses) result.push_back({i, n});
    }
  }
  return result;
}

}  // namespace heddle::edit
