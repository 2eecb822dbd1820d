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
    depends_.assign(values_.size(), 0);
    for (size_t n = 0; n < inputs(); ++n) depends_[values_.inputs()[n]] = n < first_ ? kFirst : kLast;
    for (size_t n = 0; n < values_.size(); ++n)
      for (size_t i = 0; i < operands_of(values_.node(n).operation); ++i)
        depends_[n] = static_cast<uint8_t>(depends_[n] | depends_[values_.operand(n, i)]);
    return true;
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
      const Node& node = values_.node(place);
      const bool multiplies = node.operation == Operation::Multiply;
      if (!is_inverted(node.operation) && !multiplies) return false;
      const size_t left = values_.operand(place, 0), right = values_.operand(place, 1);
      const bool by_right = (depends_[right] & kFirst) == 0;
      if (!by_right && (depends_[left] & kFirst) != 0) return false;
      const size_t other = by_right ? right : left;
      if (multiplies && (depends_[other] != 0 || values_.node(other).value % 2 == 0)) return false;
      path_.push_back({place, other, by_right});
      place = by_right ? left : right;
    }
    meeting_ = place;
    return true;
  }

  uint64_t inverted() const {
    uint64_t value = wanted_;
    for (const Inverted& step : path_) {
      const Node& node = values_.node(step.place);
      const uint64_t other = values_.value(step.other);
      switch (node.operation) {
        case Operation::Add: value -= other; break;
        case Operation::Xor: value ^= other; break;
        case Operation::Multiply: value *= inverse_of(other); break;
        default: value = step.inner_is_first ? value + other : other - value; break;
      }
      value &= mask_of(node.width);
    }
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
  size_t first_ = 0;  // so many inputs come first
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
