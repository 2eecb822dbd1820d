#include "server/symbolic/slice_values.h"

#include <algorithm>

#include "server/symbolic/arithmetic.h"

namespace heddle::symbolic {
namespace {

constexpr size_t kNone = ~size_t{0}, kSeveral = ~size_t{0} - 1;

}  // namespace

SliceValues::SliceValues(const Pool& pool, const Slice& slice) : order_(pool.below(slice)), values_(order_.size()) {
  for (const Expression condition : slice) conditions_.push_back(place_of(condition));
  for (size_t n = 0; n < order_.size(); ++n) {
    const Node& node = pool.at(order_[n]);
    Step step{&node, {}, pool.at(node.operands[0]).width, pool.at(node.operands[1]).width};
    for (size_t i = 0; i < operands_of(node.operation); ++i) step.operands[i] = place_of(node.operands[i]);
    steps_.push_back(step);
    if (node.operation == Operation::Input) inputs_.push_back(n);
  }
  std::sort(inputs_.begin(), inputs_.end(),
            [&](size_t a, size_t b) { return steps_[a].node->value < steps_[b].node->value; });
  find_users();
  for (const size_t input : inputs_) candidates_.push_back(candidates_of(input));
}

size_t SliceValues::place_of(Expression expression) const {
  return static_cast<size_t>(std::lower_bound(order_.begin(), order_.end(), expression) - order_.begin());
}

// Which single input a step depends on.
void SliceValues::find_users() {
  users_.assign(steps_.size(), kNone);
  for (size_t n = 0; n < steps_.size(); ++n) {
    if (steps_[n].node->operation == Operation::Input) users_[n] = n;
    for (size_t i = 0; i < operands_of(steps_[n].node->operation); ++i) {
      const size_t below = users_[steps_[n].operands[i]];
      if (below != kNone) users_[n] = users_[n] == kNone || users_[n] == below ? below : kSeveral;
    }
  }
}

SliceValues::Candidates SliceValues::candidates_of(size_t input) {
  constexpr unsigned kFilteredMost = 10;  // bits
  const unsigned width = steps_[input].node->width;
  if (width >= 64) return {~uint64_t{0}, {}};
  Candidates all{uint64_t{1} << width, {}};
  std::vector<size_t> own, used;
  for (const size_t condition : conditions_)
    if (users_[condition] == input) own.push_back(condition);
  if (own.empty() || width > kFilteredMost) return all;
  for (size_t n = 0; n < steps_.size(); ++n)
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
  const Step& step = steps_[n];
  if (step.node->operation == Operation::Input) return;
  const uint64_t operands[3] = {values_[step.operands[0]], values_[step.operands[1]], values_[step.operands[2]]};
  values_[n] = result_of(*step.node, step.width, step.low_width, operands);
}

bool SliceValues::holds() {
  for (size_t n = 0; n < steps_.size(); ++n) evaluate(n);
  return std::all_of(conditions_.begin(), conditions_.end(), [&](size_t place) { return values_[place] != 0; });
}

Model SliceValues::model() const {
  Model model;
  for (const size_t input : inputs_) model[steps_[input].node->value] = values_[input];
  return model;
}

}  // namespace heddle::symbolic
