#include "server/symbolic/solver.h"

#include <algorithm>
#include <unordered_set>

#include "server/symbolic/interval_slice.h"
#include "server/symbolic/meeting_slice.h"
#include "server/symbolic/small_slice.h"
#include "server/symbolic/z3_slice.h"

namespace heddle::symbolic {

Answer Solver::solve(std::span<const Expression> conditions) {
  Answer whole{Decision::Satisfiable, {}};
  for (const Slice& slice : slices_of(pool_, conditions)) {
    const Answer& part = answer_to(slice);
    if (part.decision == Decision::Unsatisfiable) return {Decision::Unsatisfiable, {}};
    if (part.decision == Decision::Undecided) whole.decision = Decision::Undecided;
    whole.model.insert(part.model.begin(), part.model.end());
  }
  if (whole.decision == Decision::Undecided) whole.model.clear();
  return whole;
}

const std::vector<uint64_t>& Solver::inputs_below(Expression condition) {
  const auto [known, is_new] = inputs_.try_emplace(condition.number);
  if (is_new)
    for (const Expression part : pool_.below({&condition, 1}))
      if (pool_.at(part).operation == Operation::Input) known->second.push_back(pool_.at(part).value);
  return known->second;
}

const Answer& Solver::solve_slice_of(Expression wanted, std::span<const Expression> conditions) {
  Slice slice = {wanted};
  const std::vector<uint64_t>& first = inputs_below(wanted);
  std::unordered_set<uint64_t> inputs(first.begin(), first.end());
  std::vector<Expression> others(conditions.begin(), conditions.end());
  for (bool grows = true; grows;) {
    grows = false;
    std::erase_if(others, [&](Expression other) {
      const std::vector<uint64_t>& below = inputs_below(other);
      if (std::none_of(below.begin(), below.end(), [&](uint64_t input) { return inputs.contains(input); }))
        return false;
      slice.push_back(other);
      for (const uint64_t input : below) grows |= inputs.insert(input).second;
      return true;
    });
  }
  std::sort(slice.begin(), slice.end());
  slice.erase(std::unique(slice.begin(), slice.end()), slice.end());
  return answer_to(slice);
}

const Answer& Solver::answer_to(const Slice& slice) {
  auto [known, is_new] = answers_.try_emplace(slice);
  if (!is_new) {
    ++statistics_.hits;
    return known->second;
  }
  const Node& first = pool_.at(slice.front());
  if (first.operation == Operation::Constant) {  // it has no input, so it is a slice of its own
    known->second.decision = first.value != 0 ? Decision::Satisfiable : Decision::Unsatisfiable;
  } else if (std::optional<Answer> halved = solve_by_intervals(pool_, slice)) {
    ++statistics_.tried;
    known->second = std::move(*halved);
  } else if (std::optional<Answer> tried = solve_by_trying(pool_, slice)) {
    ++statistics_.tried;
    known->second = std::move(*tried);
  } else if (std::optional<Answer> met = solve_by_meeting(pool_, slice)) {
    ++statistics_.tried;
    known->second = std::move(*met);
  } else if (work_max_ != 0) {
    ++statistics_.queries;
    known->second = solve_by_z3(pool_, slice, work_max_);
  }
  return known->second;
}

}  // namespace heddle::symbolic
