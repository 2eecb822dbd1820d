#include "server/symbolic/interval_slice.h"

#include <algorithm>
#include <vector>

#include "server/symbolic/arithmetic.h"
#include "server/symbolic/orders.h"
#include "server/symbolic/ranges.h"
#include "server/symbolic/slice_steps.h"

namespace heddle::symbolic {
namespace {

class Search {
 public:
  Search(const Pool& pool, const Slice& slice)
      : slice_(pool, slice), ranges_(slice_.steps.size()), users_(slice_.steps.size()), due_(slice_.steps.size()) {
    for (size_t n = 0; n < slice_.steps.size(); ++n) {
      const Node& node = *slice_.steps[n].node;
      ranges_[n] = node.operation == Operation::Constant ? range_of(node.value) : range_of_all(node.width);
      for (size_t i = 0; i < operands_of(node.operation); ++i) users_[slice_.steps[n].operands[i]].push_back(n);
    }
  }

  // The lower half of the first open input comes first, so the first model is the smallest. Undecided: too many steps.
  Answer solve() {
    if (!begin()) return {Decision::Unsatisfiable, {}};
    struct Open {
      size_t input, changes;  // and how many changes there were
      Range upper;
    };
    std::vector<Open> open;
    while (work_ <= kIntervalOperationsMost) {
      const auto wide = std::find_if(slice_.inputs.begin(), slice_.inputs.end(),
                                     [&](size_t input) { return !ranges_[input].is_point(); });
      bool continues = wide != slice_.inputs.end();
      if (!continues && holds()) return {Decision::Satisfiable, model()};
      if (continues) {
        const Range all = ranges_[*wide];
        const uint64_t middle = all.least + (all.most - all.least) / 2;
        open.push_back({*wide, changes_.size(), common(all, {middle + 1, all.most, 0, 0})});
        continues = narrow(*wide, {all.least, middle, 0, 0});
      }
      while (!continues && !open.empty()) {
        const Open next = open.back();
        open.pop_back();
        take_back(next.changes);
        continues = narrow(next.input, next.upper);
      }
      if (!continues) return {Decision::Unsatisfiable, {}};
    }
    return {};
  }

 private:
  static constexpr size_t kRoundsMost = 8;  // forwards and backwards: bounds may creep towards each other

  // False: the conditions cannot hold.
  bool begin() {
    for (size_t n = 0; n < ranges_.size(); ++n) due_[n] = kForwards | kBackwards;
    for (const size_t condition : slice_.conditions)
      if (!set(condition, range_of(1))) return false;
    return follow(0, ranges_.size() - 1) && !orders_contradict();
  }

  bool orders_contradict() const {
    Orders with_sign, without_sign;
    for (size_t n = 0; n < ranges_.size(); ++n) {
      const SliceSteps::Step& step = slice_.steps[n];
      if (!ranges_[n].is_point() || operands_of(step.node->operation) != 2) continue;
      const bool holds = ranges_[n].least != 0;
      const size_t a = step.operands[0], b = step.operands[1];
      switch (step.node->operation) {
        case Operation::UnsignedLess: without_sign.add_less(holds ? a : b, holds ? b : a, holds); break;
        case Operation::SignedLess: with_sign.add_less(holds ? a : b, holds ? b : a, holds); break;
        case Operation::Equal:
          for (Orders* orders : {&with_sign, &without_sign}) {
            if (!holds) orders->add_different(a, b);
            if (holds) orders->add_less(a, b, false);
            if (holds) orders->add_less(b, a, false);
          }
          break;
        default: break;
      }
    }
    return with_sign.contradict() || without_sign.contradict();
  }

  bool narrow(size_t input, const Range& to) { return set(input, to) && follow(input, input); }

  // False: nothing is left.
  bool set(size_t place, const Range& to) {
    const Range left = common(ranges_[place], to);
    if (left.is_empty()) return false;
    if (left == ranges_[place]) return true;
    changes_.emplace_back(place, ranges_[place]);
    ranges_[place] = left;
    due_[place] |= kBackwards;
    for (const size_t user : users_[place]) due_[user] = kForwards | kBackwards;
    first_ = std::min(first_, place);
    last_ = std::max(last_, users_[place].empty() ? place : users_[place].back());
    return true;
  }

  // What is due between the two places, and what becomes due. What is left after the last round is not known: the
  // ranges stay wider than they could be.
  bool follow(size_t first, size_t last) {
    first_ = std::min(first_, first);
    last_ = std::max(last_, last);
    bool possible = true;
    for (size_t round = 0; round < kRoundsMost && possible && first_ <= last_; ++round) {
      for (size_t n = first_; n <= last_ && possible; ++n) possible = (due_[n] & kForwards) == 0 || follow_forwards(n);
      size_t n = last_ + 1;
      const size_t end = first_;
      first_ = ranges_.size();
      last_ = 0;
      // first_ may fall below `end` while operands are narrowed: they are due in this pass, too.
      while (n-- > std::min(end, first_) && possible) possible = (due_[n] & kBackwards) == 0 || follow_backwards(n);
    }
    if (!possible || first_ <= last_) std::fill(due_.begin(), due_.end(), uint8_t{0});
    first_ = ranges_.size();
    last_ = 0;
    return possible;
  }

  Operands operands_at(const SliceSteps::Step& step) const {
    return {ranges_[step.operands[0]], ranges_[step.operands[1]], ranges_[step.operands[2]]};
  }
  static Shape shape_of(const SliceSteps::Step& step) { return {step.node, step.width, step.low_width}; }

  bool follow_forwards(size_t n) {
    due_[n] &= static_cast<uint8_t>(~kForwards);
    const SliceSteps::Step& step = slice_.steps[n];
    if (operands_of(step.node->operation) == 0) return true;
    ++work_;
    return set(n, forwards(shape_of(step), operands_at(step)));
  }

  bool follow_backwards(size_t n) {
    due_[n] &= static_cast<uint8_t>(~kBackwards);
    const SliceSteps::Step& step = slice_.steps[n];
    const size_t count = operands_of(step.node->operation);
    if (count == 0) return true;
    ++work_;
    Operands operands = operands_at(step);
    if (!backwards(shape_of(step), ranges_[n], operands)) return false;
    for (size_t i = 0; i < count; ++i)
      if (!set(step.operands[i], operands[i])) return false;
    return true;
  }

  void take_back(size_t changes) {
    for (; changes_.size() > changes; changes_.pop_back()) ranges_[changes_.back().first] = changes_.back().second;
  }

  // REQUIRES that every input has one value.
  bool holds() {
    std::vector<uint64_t> values(ranges_.size());
    for (size_t n = 0; n < ranges_.size(); ++n) {
      const SliceSteps::Step& step = slice_.steps[n];
      const uint64_t operands[3] = {values[step.operands[0]], values[step.operands[1]], values[step.operands[2]]};
      values[n] = step.node->operation == Operation::Input
                      ? ranges_[n].least
                      : result_of(*step.node, step.width, step.low_width, operands);
    }
    work_ += ranges_.size();
    return std::all_of(slice_.conditions.begin(), slice_.conditions.end(),
                       [&](size_t condition) { return values[condition] != 0; });
  }

  Model model() const {
    Model model;
    for (const size_t input : slice_.inputs) model[slice_.steps[input].node->value] = ranges_[input].least;
    return model;
  }

  enum : uint8_t { kForwards = 1, kBackwards = 2 };
  const SliceSteps slice_;
  std::vector<Range> ranges_;
  std::vector<std::vector<size_t>> users_;
  std::vector<uint8_t> due_;
  size_t first_ = 0, last_ = 0;  // what is due lies between them
  std::vector<std::pair<size_t, Range>> changes_;
  uint64_t work_ = 0;
};

}  // namespace

std::optional<Answer> solve_by_intervals(const Pool& pool, const Slice& slice) {
  Search search(pool, slice);
  Answer answer = search.solve();
  if (answer.decision == Decision::Undecided) return std::nullopt;
  return answer;
}

}  // namespace heddle::symbolic
