#include "server/symbolic/slice_values.h"

#include <algorithm>

#include "server/symbolic/arithmetic.h"

namespace heddle::symbolic {
namespace {

constexpr size_t kNone = ~size_t{0}, kSeveral = ~size_t{0} - 1;

}  // namespace

SliceValues::SliceValues(const Pool& pool, const Slice& slice) : slice_(pool, slice), values_(slice_.order.size()) {
  find_users();
  for (const size_t input : slice_.inputs) candidates_.push_back(candidates_of(input));
}

// Which single input a step depends on.
void SliceValues::find_users() {
  users_.assign(slice_.steps.size(), kNone);
  for (size_t n = 0; n < slice_.steps.size(); ++n) {
    if (slice_.steps[n].node->operation == Operation::Input) users_[n] = n;
    for (size_t i = 0; i < operands_of(slice_.steps[n].node->operation); ++i) {
      const size_t below = users_[slice_.steps[n].operands[i]];
      if (below != kNone) users_[n] = users_[n] == kNone || users_[n] == below ? below : kSeveral;
    }
  }
}

SliceValues::Candidates SliceValues::candidates_of(size_t input) {
  constexpr unsigned kFilteredMost = 10;  // bits
  const unsigned width = slice_.steps[input].node->width;
  if (width >= 64) return {~uint64_t{0}, {}};
  Candidates all{uint64_t{1} << width, {}};
  std::vector<size_t> own, used;
  for (const size_t condition : slice_.conditions)
    if (users_[condition] == input) own.push_back(condition);
  if (own.empty() || width > kFilteredMost) return all;
  for (size_t n = 0; n < slice_.steps.size(); ++n)
    if (users_[n] == input || users_[n] == kNone) used.push_back(n);
  for (uint64_t value = 0; value < all.count; ++value) {
    values_[input] = value;
    for (const size_t n : used) evaluate(n);
    if (std::all_of(own.begin(), own.end(), [&](size_t place) { return values_[place] != 0; }))
      all.listed.push_back(value);
  }
  all.count = all.listed.size();
  return all;
}

void SliceValues::evaluate(size_t n) {
  const SliceSteps::Step& step = slice_.steps[n];
  if (step.node->operation == Operation::Input) return;
  const uint64_t operands[3] = {values_[step.operands[0]], values_[step.operands[1]], values_[step.operands[2]]};
  values_[n] = result_of(*step.node, step.width, step.low_width, operands);
}

bool SliceValues::holds() {
  for (size_t n = 0; n < slice_.steps.size(); ++n) evaluate(n);
  return std::all_of(slice_.conditions.begin(), slice_.conditions.end(),
                     [&](size_t place) { return values_[place] != 0; });
}

Model SliceValues::model() const {
  Model model;
  for (const size_t input : slice_.inputs) model[slice_.steps[input].node->value] = values_[input];
  return model;
}

}  // namespace heddle::symbolic
