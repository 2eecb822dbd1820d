#include "server/symbolic/small_slice.h"

#include <algorithm>
#include <vector>

#include "server/symbolic/arithmetic.h"

namespace heddle::symbolic {
namespace {

class Trial {
 public:
  Trial(const Pool& pool, const Slice& slice) : pool_(pool), order_(pool.below(slice)), values_(order_.size()) {
    for (const Expression condition : slice) conditions_.push_back(place_of(condition));
    for (size_t n = 0; n < order_.size(); ++n) {
      const Node& node = pool_.at(order_[n]);
      Step step{&node, {}, 0, 0};
      for (size_t i = 0; i < operands_of(node.operation); ++i) step.operands[i] = place_of(node.operands[i]);
      step.width = pool_.at(node.operands[0]).width;
      step.low_width = pool_.at(node.operands[1]).width;
      steps_.push_back(step);
      if (node.operation == Operation::Input) inputs_.push_back(n);
    }
    // The least in the first input, by number, comes first.
    std::sort(inputs_.begin(), inputs_.end(),
              [&](size_t a, size_t b) { return steps_[a].node->value < steps_[b].node->value; });
    for (const size_t input : inputs_) bits_ += steps_[input].node->width;
  }

  bool is_small() const { return bits_ < 32 && uint64_t{order_.size()} << bits_ <= kOperationsMost; }

  Answer solve() {
    for (uint64_t tried = 0; tried >> bits_ == 0; ++tried) {
      give(tried);
      if (holds()) return {Decision::Satisfiable, model()};
    }
    return {Decision::Unsatisfiable, {}};
  }

 private:
  struct Step {
    const Node* node;
    size_t operands[3];  // places of earlier steps
    unsigned width, low_width;
  };

  size_t place_of(Expression expression) const {
    const auto found = std::lower_bound(order_.begin(), order_.end(), expression,
                                        [](Expression a, Expression b) { return a.number < b.number; });
    return static_cast<size_t>(found - order_.begin());
  }

  // The bits of `number` are those of the inputs one after the other, the last input's the lowest.
  void give(uint64_t number) {
    for (size_t n = inputs_.size(); n-- > 0;) {
      const unsigned width = steps_[inputs_[n]].node->width;
      values_[inputs_[n]] = number & mask_of(width);
      number >>= width;
    }
  }

  bool holds() {
    for (size_t n = 0; n < steps_.size(); ++n) {
      const Step& step = steps_[n];
      if (step.node->operation == Operation::Input) continue;
      const uint64_t operands[3] = {values_[step.operands[0]], values_[step.operands[1]], values_[step.operands[2]]};
      values_[n] = result_of(*step.node, step.width, step.low_width, operands);
    }
    return std::all_of(conditions_.begin(), conditions_.end(), [&](size_t place) { return values_[place] != 0; });
  }

  Model model() const {
    Model model;
    for (const size_t input : inputs_) model[steps_[input].node->value] = values_[input];
    return model;
  }

  const Pool& pool_;
  const std::vector<Expression> order_;  // ascending
  std::vector<uint64_t> values_;
  std::vector<Step> steps_;
  std::vector<size_t> conditions_, inputs_;  // places in order_
  unsigned bits_ = 0;
};

}  // namespace

std::optional<Answer> solve_by_trying(const Pool& pool, const Slice& slice) {
  Trial trial(pool, slice);
  if (!trial.is_small()) return std::nullopt;
  return trial.solve();
}

}  // namespace heddle::symbolic
