#include "server/edit/forward_marks.h"

namespace heddle::edit {

std::vector<bool> may_hold(const FunctionView& view, const std::vector<MarkKind>& marks) {
  const auto& blocks = view.graph().blocks();
  std::vector<bool> result(marks.size(), false), at_entry(blocks.size(), false);
  std::vector<uint32_t> work;
  for (uint32_t b = 0; b < blocks.size(); ++b) work.push_back(b);
  while (!work.empty()) {
    const auto& block = blocks[work.back()];
    bool holds = at_entry[work.back()];
    work.pop_back();
    for (uint32_t i = block.begin; i < block.end; ++i) {
      result[i] = holds;
      if (marks[i] != MarkKind::None) holds = marks[i] == MarkKind::Begins;
    }
    for (const uint32_t s : block.successors)
      if (holds && !at_entry[s]) at_entry[s] = true, work.push_back(s);
  }
  return result;
}

}  // namespace heddle::edit
