#include "server/symbolic/meeting_slice.h"

#include <algorithm>

#include "server/symbolic/arithmetic.h"
#include "server/symbolic/slice_values.h"

namespace heddle::symbolic {
namespace {

// One operation between what meets and the number: `inner` is its operand towards the inputs, the other one is known
// once the last inputs are.
struct Inverted {
  size_t place = 0, other = 0;
  bool inner_is_first = true;
};

class Meeting {
 public:
  Meeting(const Pool& pool, const Slice& slice) : values_(pool, slice) {}

  std::optional<Answer> solve() {
    for (const SliceValues::Candidates& one : values_.candidates())
      if (one.count == 0) return Answer{Decision::Unsatisfiable, {}};
    for (const size_t condition : values_.conditions())
      if (list_by_steps(condition)) return try_first();
    if (!divide_inputs()) return std::nullopt;
    for (const size_t condition : values_.conditions()) {
      if (!find_path(condition)) continue;
      list_last();
      return try_first();
    }
    return std::nullopt;
  }

 private:
  static constexpr uint8_t kFirst = 1, kLast = 2;  // which inputs a place depends on
  static constexpr size_t kNone = ~size_t{0}, kSeveral = ~size_t{0} - 1;
  static constexpr uint64_t kListedMost = 1 << 22;  // values of a step, before those that lead to the same are left out

  static constexpr uint64_t kNumbersMost = uint64_t{1} << 32;  // of choices of the last inputs

  size_t inputs() const { return values_.inputs().size(); }

  // As many of the last inputs as fit the table; at least one, and not all.
  bool divide_inputs() {
    uint64_t together = 1;
    first_ = inputs();
    while (first_ > 0) {
      uint64_t more = 0;
      const uint64_t count = values_.candidates()[first_ - 1].count;
      if (__builtin_mul_overflow(together, count, &more) || more > kMeetingLastMost) break;
      together = more;
      --first_;
    }
    first_ = std::max<size_t>(first_, 1);
    if (first_ >= inputs()) return false;
    find_dependences();
    return true;
  }

  void find_dependences() {
    depends_.assign(values_.size(), 0);
    for (size_t n = 0; n < inputs(); ++n) depends_[values_.inputs()[n]] = n < first_ ? kFirst : kLast;
    for (size_t n = 0; n < values_.size(); ++n)
      for (size_t i = 0; i < operands_of(values_.node(n).operation); ++i)
        depends_[n] = static_cast<uint8_t>(depends_[n] | depends_[values_.operand(n, i)]);
  }

  // Which single input each place depends on, by its number among the inputs.
  void find_single_inputs() {
    single_.assign(values_.size(), kNone);
    for (size_t n = 0; n < inputs(); ++n) single_[values_.inputs()[n]] = n;
    for (size_t n = 0; n < values_.size(); ++n)
      for (size_t i = 0; i < operands_of(values_.node(n).operation); ++i)
        if (const size_t below = single_[values_.operand(n, i)]; below != kNone)
          single_[n] = single_[n] == kNone || single_[n] == below ? below : kSeveral;
  }

  // Where each operation towards the inputs takes in one more of the last inputs, and no other condition has several
  // inputs: of the values that lead to the same only the smallest are kept, so that more inputs fit the table.
  bool list_by_steps(size_t condition) {
    find_single_inputs();
    const auto has_several = [&](size_t other) { return other != condition && single_[other] == kSeveral; };
    const Node& equation = values_.node(condition);
    if (equation.operation != Operation::Equal || single_[condition] != kSeveral ||
        single_[values_.operand(condition, 1)] != kNone ||
        std::any_of(values_.conditions().begin(), values_.conditions().end(), has_several))
      return false;
    for (size_t n = 0; n < values_.size(); ++n)
      if (single_[n] == kNone) values_.evaluate(n);
    last_ = {{values_.value(values_.operand(condition, 1)), 0}};
    size_t place = values_.operand(condition, 0), taken = 0;
    uint64_t together = 1;
    while (taken + 1 < inputs()) {
      const size_t next = inputs() - 1 - taken;
      const std::optional<Inverted> step =
          step_at(place, [&](size_t other) { return single_[other] == kNone || single_[other] == next; });
      if (!step) break;
      const bool takes = single_[step->other] == next;
      const uint64_t count = values_.candidates()[next].count;
      if (takes && (last_.size() * count > kListedMost || together > kNumbersMost / count)) break;
      invert_all(*step, takes ? next : kNone, together);
      if (takes) together *= count;
      taken += takes ? 1 : 0;
      place = values_.operand(place, step->inner_is_first ? 0 : 1);
    }
    first_ = inputs() - taken;
    meeting_ = place;
    find_dependences();
    if (taken == 0 || depends_[place] != kFirst) {
      last_.clear();
      return false;
    }
    fill_filter();
    return true;
  }

  // With each value of the input, if there is one that the step takes in.
  void invert_all(const Inverted& step, size_t input, uint64_t together) {
    std::vector<std::pair<uint64_t, uint32_t>> before = std::move(last_);
    last_.clear();
    std::vector<size_t> used;
    for (size_t n = 0; n <= step.other && input != kNone; ++n)
      if (single_[n] == input) used.push_back(n);
    const uint64_t count = input == kNone ? 1 : values_.candidates()[input].count;
    for (uint64_t chosen = 0; chosen < count; ++chosen) {
      if (input != kNone) values_.set(values_.inputs()[input], values_.candidates()[input].at(chosen));
      for (const size_t place : used) values_.evaluate(place);
      for (const auto& [value, number] : before)
        last_.emplace_back(inverted_by(step, value), static_cast<uint32_t>(number + chosen * together));
    }
    std::sort(last_.begin(), last_.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    last_.erase(std::unique(last_.begin(), last_.end(), same), last_.end());
  }

  static bool is_inverted(Operation operation) {
    return operation == Operation::Add || operation == Operation::Xor || operation == Operation::Subtract;
  }

  // From the equation to the first place that depends on the first inputs alone.
  bool find_path(size_t condition) {
    path_.clear();
    const Node& equation = values_.node(condition);
    const size_t number = values_.operand(condition, 1);
    if (equation.operation != Operation::Equal || depends_[number] != 0 || depends_[condition] != (kFirst | kLast))
      return false;
    values_.evaluate(number);
    wanted_ = values_.value(number);
    size_t place = values_.operand(condition, 0);
    while (depends_[place] != kFirst) {
      const std::optional<Inverted> step =
          step_at(place, [&](size_t other) { return (depends_[other] & kFirst) == 0; });
      if (!step) return false;
      path_.push_back(*step);
      place = values_.operand(place, step->inner_is_first ? 0 : 1);
    }
    meeting_ = place;
    return true;
  }

  // The operation at the place, if it can be inverted; `may_be_other`: of its operands.
  template <typename Condition>
  std::optional<Inverted> step_at(size_t place, const Condition& may_be_other) const {
    const Node& node = values_.node(place);
    const bool multiplies = node.operation == Operation::Multiply;
    if (!is_inverted(node.operation) && !multiplies) return std::nullopt;
    const size_t left = values_.operand(place, 0), right = values_.operand(place, 1);
    const bool by_right = may_be_other(right);
    if (!by_right && !may_be_other(left)) return std::nullopt;
    const size_t other = by_right ? right : left;
    const Node& factor = values_.node(other);
    if (multiplies && (factor.operation != Operation::Constant || factor.value % 2 == 0)) return std::nullopt;
    return Inverted{place, other, by_right};
  }

  uint64_t inverted_by(const Inverted& step, uint64_t value) const {
    const Node& node = values_.node(step.place);
    const uint64_t other = values_.value(step.other);
    switch (node.operation) {
      case Operation::Add: value -= other; break;
      case Operation::Xor: value ^= other; break;
      case Operation::Multiply: value *= inverse_of(other); break;
      default: value = step.inner_is_first ? value + other : other - value; break;
    }
    return value & mask_of(node.width);
  }

  uint64_t inverted() const {
    uint64_t value = wanted_;
    for (const Inverted& step : path_) value = inverted_by(step, value);
    return value;
  }

  // By what has to be met; of the same the smallest first.
  void list_last() {
    std::vector<size_t> others;
    for (size_t n = 0; n < values_.size(); ++n)
      if ((depends_[n] & kFirst) == 0) others.push_back(n);
    std::vector<uint64_t> chosen(inputs());
    for (uint32_t number = 0;; ++number) {
      choose(chosen, first_, inputs());
      for (const size_t place : others) values_.evaluate(place);
      last_.push_back({inverted(), number});
      if (!next(chosen, first_, inputs())) break;
    }
    std::sort(last_.begin(), last_.end());
    fill_filter();
  }
  void fill_filter() {
    for (const auto& [value, number] : last_) filter_[hashed(value)] = true;
  }

  // All values of the first inputs, in order; each time what depends on those that changed is evaluated.
  std::optional<Answer> try_first() {
    std::vector<std::vector<size_t>> changed(first_);  // from an input on
    for (size_t n = 0; n < values_.size(); ++n) {
      if (depends_[n] != kFirst || n > meeting_) continue;
      for (size_t input = 0; input <= last_below(n); ++input) changed[input].push_back(n);
    }
    std::vector<uint64_t> chosen(inputs());
    choose(chosen, 0, first_);
    for (size_t n = 0; n < values_.size(); ++n) values_.evaluate(n);
    for (uint64_t operations = 0; operations < kMeetingOperationsMost;) {
      if (filter_[hashed(values_.value(meeting_))])
        if (std::optional<Answer> met = met_here(chosen)) return met;
      size_t at = first_;
      while (at > 0 && ++chosen[at - 1] == values_.candidates()[at - 1].count) chosen[--at] = 0;
      if (at == 0) return Answer{Decision::Unsatisfiable, {}};
      choose(chosen, at - 1, first_);
      for (const size_t place : changed[at - 1]) values_.evaluate(place);
      operations += changed[at - 1].size() + 1;
    }
    return std::nullopt;
  }

  // The greatest of the first inputs that the place depends on.
  size_t last_below(size_t place) {
    if (below_.empty()) {
      below_.assign(values_.size(), 0);
      for (size_t n = 0; n < values_.inputs().size(); ++n) below_[values_.inputs()[n]] = n;
      for (size_t n = 0; n < values_.size(); ++n)
        for (size_t i = 0; i < operands_of(values_.node(n).operation); ++i)
          below_[n] = std::max(below_[n], below_[values_.operand(n, i)]);
    }
    return below_[place];
  }

  // The other conditions have to hold, too.
  std::optional<Answer> met_here(std::vector<uint64_t> chosen) {
    const uint64_t value = values_.value(meeting_);
    for (auto at = std::lower_bound(last_.begin(), last_.end(), std::pair(value, uint32_t{0}));
         at != last_.end() && at->first == value; ++at) {
      uint64_t number = at->second;
      for (size_t n = inputs(); n-- > first_;) {
        chosen[n] = number % values_.candidates()[n].count;
        number /= values_.candidates()[n].count;
      }
      choose(chosen, 0, inputs());
      if (values_.holds()) return Answer{Decision::Satisfiable, values_.model()};
    }
    return std::nullopt;
  }

  void choose(const std::vector<uint64_t>& chosen, size_t from, size_t to) {
    for (size_t n = from; n < to; ++n) values_.set(values_.inputs()[n], values_.candidates()[n].at(chosen[n]));
  }
  // The last changes fastest. False: all were there.
  bool next(std::vector<uint64_t>& chosen, size_t from, size_t to) const {
    for (size_t n = to; n-- > from; chosen[n] = 0)
      if (++chosen[n] < values_.candidates()[n].count) return true;
    return false;
  }

  static size_t hashed(uint64_t value) { return static_cast<size_t>(value * 0x9e3779b97f4a7c15 >> 44); }

  SliceValues values_;
  size_t first_ = 0;  // how many inputs come first
  std::vector<size_t> single_;
  std::vector<uint8_t> depends_;
  std::vector<Inverted> path_;
  uint64_t wanted_ = 0;
  size_t meeting_ = 0;
  std::vector<std::pair<uint64_t, uint32_t>> last_;  // what is to be met, and by which values of the last inputs
  std::vector<bool> filter_ = std::vector<bool>(1 << 20);
  std::vector<size_t> below_;
};

}  // namespace

std::optional<Answer> solve_by_meeting(const Pool& pool, const Slice& slice) {
  Meeting meeting(pool, slice);
  return meeting.solve();
}

}  // namespace heddle::symbolic
