#include "server/symbolic/small_slice.h"

#include <algorithm>

#include "server/symbolic/slice_values.h"

namespace heddle::symbolic {
namespace {

bool is_small(const SliceValues& slice) {
  uint64_t trials = slice.size();
  for (const SliceValues::Candidates& one : slice.candidates())
    if (__builtin_mul_overflow(trials, one.count, &trials) || trials > kOperationsMost) return false;
  return true;
}

// Of each input the least comes first; the last input changes fastest. Nothing: after `trials_most`.
std::optional<Answer> try_values(SliceValues& slice, uint64_t trials_most) {
  const auto& candidates = slice.candidates();
  std::vector<uint64_t> chosen(slice.inputs().size());
  for (uint64_t trials = 0; trials < trials_most; ++trials) {
    for (size_t n = 0; n < slice.inputs().size(); ++n) slice.set(slice.inputs()[n], candidates[n].at(chosen[n]));
    if (slice.holds()) return Answer{Decision::Satisfiable, slice.model()};
    size_t next = slice.inputs().size();
    while (next > 0 && ++chosen[next - 1] == candidates[next - 1].count) chosen[--next] = 0;
    if (next == 0) return Answer{Decision::Unsatisfiable, {}};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Answer> solve_by_trying(const Pool& pool, const Slice& slice) {
  SliceValues values(pool, slice);
  for (const SliceValues::Candidates& one : values.candidates())
    if (one.count == 0) return Answer{Decision::Unsatisfiable, {}};
  return try_values(values, is_small(values) ? ~uint64_t{0} : kOperationsBegun / values.size());
}

}  // namespace heddle::symbolic
