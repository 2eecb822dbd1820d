#include "server/symbolic/solver.h"

#include "server/symbolic/interval_slice.h"
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

const Answer& Solver::answer_to(const Slice& slice) {
  auto [known, is_new] = answers_.try_emplace(slice);
  if (!is_new) {
    ++statistics_.hits;
    return known->second;
  }
  const Node& first = pool_.at(slice.front());
  if (first.operation == Operation::Constant) {  // it has no input, so it is a slice of its own
    known->second.decision = first.value != 0 ? Decision::Satisfiable : Decision::Unsatisfiable;
  } else if (std::optional<Answer> tried = solve_by_trying(pool_, slice)) {
    ++statistics_.tried;
    known->second = std::move(*tried);
  } else if (std::optional<Answer> halved = solve_by_intervals(pool_, slice)) {
    ++statistics_.tried;
    known->second = std::move(*halved);
  } else if (work_max_ != 0) {
    ++statistics_.queries;
    known->second = solve_by_z3(pool_, slice, work_max_);
  }
  return known->second;
}

}  // namespace heddle::symbolic
