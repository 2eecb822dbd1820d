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
    find_users();
    for (const size_t input : inputs_) candidates_.push_back(candidates_of(input));
  }

  bool is_small() const {
    uint64_t trials = order_.size();
    for (const Candidates& one : candidates_)
      if (__builtin_mul_overflow(trials, one.count, &trials) || trials > kOperationsMost) return false;
    return true;
  }

  // Of each input the least comes first; the last input changes fastest.
  Answer solve() {
    if (std::any_of(candidates_.begin(), candidates_.end(), [](const Candidates& one) { return one.count == 0; }))
      return {Decision::Unsatisfiable, {}};
    std::vector<uint64_t> chosen(inputs_.size());
    for (;;) {
      for (size_t n = 0; n < inputs_.size(); ++n) values_[inputs_[n]] = candidates_[n].at(chosen[n]);
      if (holds()) return {Decision::Satisfiable, model()};
      size_t next = inputs_.size();
      while (next > 0 && ++chosen[next - 1] == candidates_[next - 1].count) chosen[--next] = 0;
      if (next == 0) return {Decision::Unsatisfiable, {}};
    }
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

  // Values of an input that are left by the conditions that depend on it alone, ascending; or all.
  struct Candidates {
    uint64_t count = 0;
    std::vector<uint64_t> listed = {};  // empty: 0 to count - 1
    uint64_t at(uint64_t n) const { return listed.empty() ? n : listed[n]; }
  };

  // Which single input a step depends on.
  static constexpr size_t kNone = ~size_t{0}, kSeveral = ~size_t{0} - 1;
  void find_users() {
    users_.assign(steps_.size(), kNone);
    for (size_t n = 0; n < steps_.size(); ++n) {
      if (steps_[n].node->operation == Operation::Input) users_[n] = n;
      for (size_t i = 0; i < operands_of(steps_[n].node->operation); ++i) {
        const size_t below = users_[steps_[n].operands[i]];
        if (below != kNone) users_[n] = users_[n] == kNone || users_[n] == below ? below : kSeveral;
      }
    }
  }

  Candidates candidates_of(size_t input) {
    constexpr unsigned kFilteredMost = 10;  // bits
    const unsigned width = steps_[input].node->width;
    if (width >= 64) return {~uint64_t{0}, {}};
    Candidates all{uint64_t{1} << width, {}};
    std::vector<size_t> own;
    for (const size_t condition : conditions_)
      if (users_[condition] == input) own.push_back(condition);
    if (own.empty() || width > kFilteredMost) return all;
    for (uint64_t value = 0; value < all.count; ++value) {
      values_[input] = value;
      for (size_t n = 0; n < steps_.size(); ++n)
        if (users_[n] == input || users_[n] == kNone) evaluate(n);
      if (std::all_of(own.begin(), own.end(), [&](size_t place) { return values_[place] != 0; }))
        all.listed.push_back(value);
    }
    all.count = all.listed.size();
    return all;
  }

  void evaluate(size_t n) {
    const Step& step = steps_[n];
    if (step.node->operation == Operation::Input) return;
    const uint64_t operands[3] = {values_[step.operands[0]], values_[step.operands[1]], values_[step.operands[2]]};
    values_[n] = result_of(*step.node, step.width, step.low_width, operands);
  }

  bool holds() {
    for (size_t n = 0; n < steps_.size(); ++n) evaluate(n);
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
  std::vector<size_t> users_;                // by place in order_: the input's place, kNone, kSeveral
  std::vector<Candidates> candidates_;       // of inputs_
};

}  // namespace

std::optional<Answer> solve_by_trying(const Pool& pool, const Slice& slice) {
  Trial trial(pool, slice);
  if (!trial.is_small()) return std::nullopt;
  return trial.solve();
}

}  // namespace heddle::symbolic
