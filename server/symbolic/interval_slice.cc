#include "server/symbolic/interval_slice.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "server/symbolic/arithmetic.h"
#include "server/symbolic/slice_steps.h"

namespace heddle::symbolic {
namespace {

// Unsigned, both ends included.
struct Interval {
  uint64_t least = 0, most = 0;
  bool is_point() const { return least == most; }
};

Interval all_of(unsigned width) { return {0, mask_of(width)}; }
uint64_t sign_of(unsigned width) { return uint64_t{1} << (width - 1); }
// All bits up to the highest that differs.
uint64_t open_bits(const Interval& a) {
  const uint64_t differ = a.least ^ a.most;
  return differ == 0 ? 0 : ~uint64_t{0} >> std::countl_zero(differ);
}

Interval sum(const Interval& a, const Interval& b, unsigned width) {
  const uint64_t mask = mask_of(width);
  const bool least_wraps = a.least > mask - b.least, most_wraps = a.most > mask - b.most;
  if (least_wraps != most_wraps) return all_of(width);
  return {(a.least + b.least) & mask, (a.most + b.most) & mask};
}

Interval difference(const Interval& a, const Interval& b, unsigned width) {
  const uint64_t mask = mask_of(width);
  if ((a.least < b.most) != (a.most < b.least)) return all_of(width);
  return {(a.least - b.most) & mask, (a.most - b.least) & mask};
}

Interval product(const Interval& a, const Interval& b, unsigned width) {
  uint64_t most = 0;
  if (__builtin_mul_overflow(a.most, b.most, &most) || most > mask_of(width)) return all_of(width);
  return {a.least * b.least, most};
}

Interval quotient(const Interval& a, const Interval& b, unsigned width) {
  if (b.least == 0) return all_of(width);
  return {a.least / b.most, a.most / b.least};
}

Interval remainder(const Interval& a, const Interval& b, unsigned width) {
  if (b.least == 0) return all_of(width);
  if (b.is_point() && a.least / b.least == a.most / b.least) return {a.least % b.least, a.most % b.least};
  return {0, std::min(a.most, b.most - 1)};
}

// And, Or and Xor: bits above those that differ are known.
Interval bitwise(Operation operation, const Interval& a, const Interval& b) {
  const uint64_t open = open_bits(a) | open_bits(b);
  const uint64_t bits = operation == Operation::And  ? a.least & b.least
                        : operation == Operation::Or ? a.least | b.least
                                                     : a.least ^ b.least;
  Interval result{bits & ~open, bits | open};
  if (operation == Operation::And) result.most = std::min({result.most, a.most, b.most});
  if (operation == Operation::Or) result.least = std::max({result.least, a.least, b.least});
  return result;
}

Interval shifted_left(const Interval& a, const Interval& b, unsigned width) {
  if (!b.is_point() || b.least >= width || a.most > mask_of(width) >> b.least) return all_of(width);
  return {a.least << b.least, a.most << b.least};
}

Interval shifted_right(const Interval& a, const Interval& b) {
  if (b.most > 63) return {0, a.most};
  return {a.least >> b.most, a.most >> b.least};
}

Interval truth(bool surely, bool never) { return {surely ? 1u : 0u, never ? 0u : 1u}; }

Interval less(const Interval& a, const Interval& b) { return truth(a.most < b.least, a.least >= b.most); }

// In the order of signed numbers.
Interval ordered_by_sign(const Interval& a, unsigned width) {
  const uint64_t sign = sign_of(width);
  if ((a.least & sign) != (a.most & sign)) return all_of(width);
  return {a.least ^ sign, a.most ^ sign};
}

bool is_negative_nowhere(const Interval& a, unsigned width) { return a.most < sign_of(width); }

Interval binary_interval(Operation operation, const Interval& a, const Interval& b, unsigned width) {
  const bool no_sign = is_negative_nowhere(a, width) && is_negative_nowhere(b, width);
  switch (operation) {
    case Operation::Add: return sum(a, b, width);
    case Operation::Subtract: return difference(a, b, width);
    case Operation::Multiply: return product(a, b, width);
    case Operation::UnsignedDivide: return quotient(a, b, width);
    case Operation::UnsignedRemainder: return remainder(a, b, width);
    case Operation::SignedDivide: return no_sign ? quotient(a, b, width) : all_of(width);
    case Operation::SignedRemainder: return no_sign ? remainder(a, b, width) : all_of(width);
    case Operation::ShiftLeft: return shifted_left(a, b, width);
    case Operation::LogicalShiftRight: return shifted_right(a, b);
    case Operation::ArithmeticShiftRight: return no_sign ? shifted_right(a, b) : all_of(width);
    case Operation::Equal: return truth(false, a.most < b.least || b.most < a.least);
    case Operation::UnsignedLess: return less(a, b);
    case Operation::SignedLess: return less(ordered_by_sign(a, width), ordered_by_sign(b, width));
    default: return bitwise(operation, a, b);
  }
}

Interval extracted(const Interval& a, uint64_t low, unsigned width) {
  const Interval moved{a.least >> low, a.most >> low};
  const uint64_t mask = mask_of(width);
  if ((moved.least & ~mask) != (moved.most & ~mask)) return all_of(width);
  return {moved.least & mask, moved.most & mask};
}

class Ranges {
 public:
  Ranges(const Pool& pool, const Slice& slice) : slice_(pool, slice), intervals_(slice_.order.size()) {
    for (const size_t input : slice_.inputs) intervals_[input] = all_of(slice_.steps[input].node->width);
  }

  size_t inputs() const { return slice_.inputs.size(); }

  // The lower half of the first input comes first, so the first model is the smallest. Undecided: too many steps.
  Answer solve() {
    std::vector<std::vector<Interval>> open = {current()};
    while (!open.empty()) {
      set(open.back());
      open.pop_back();
      const bool never = one_never_holds();
      if (work_ > kIntervalOperationsMost) return {};
      if (never) continue;
      const auto surely = [&](size_t condition) { return intervals_[condition].least != 0; };
      if (std::all_of(slice_.conditions.begin(), slice_.conditions.end(), surely))
        return {Decision::Satisfiable, model()};
      halve(open);
    }
    return {Decision::Unsatisfiable, {}};
  }

 private:
  using Step = SliceSteps::Step;

  std::vector<Interval> current() const {
    std::vector<Interval> result;
    for (const size_t input : slice_.inputs) result.push_back(intervals_[input]);
    return result;
  }
  void set(const std::vector<Interval>& all) {
    for (size_t n = 0; n < slice_.inputs.size(); ++n) intervals_[slice_.inputs[n]] = all[n];
  }

  // Conditions are ascending, as what they are made of: the first that never holds is found before the others.
  bool one_never_holds() {
    size_t next = 0;
    bool never = false;
    for (size_t n = 0; n < slice_.conditions.size() && !never; ++n) {
      for (; next <= slice_.conditions[n]; ++next) intervals_[next] = interval_of(next);
      never = intervals_[slice_.conditions[n]].most == 0;
    }
    work_ += next;
    return never;
  }

  // REQUIRES that an input has several values: with one value each, every condition holds surely or never.
  void halve(std::vector<std::vector<Interval>>& open) const {
    std::vector<Interval> lower = current();
    size_t wide = 0;
    while (lower[wide].is_point()) ++wide;
    std::vector<Interval> upper = lower;
    const uint64_t middle = lower[wide].least + (lower[wide].most - lower[wide].least) / 2;
    lower[wide].most = middle;
    upper[wide].least = middle + 1;
    open.push_back(std::move(upper));
    open.push_back(std::move(lower));
  }

  Interval interval_of(size_t n) const {
    const Step& step = slice_.steps[n];
    const Node& node = *step.node;
    if (node.operation == Operation::Input) return intervals_[n];
    if (node.operation == Operation::Constant) return {node.value, node.value};
    const Interval& a = intervals_[step.operands[0]];
    const Interval& b = intervals_[step.operands[1]];
    const Interval& c = intervals_[step.operands[2]];
    const size_t count = operands_of(node.operation);
    if (a.is_point() && (count < 2 || b.is_point()) && (count < 3 || c.is_point())) {
      const uint64_t values[3] = {a.least, b.least, c.least};
      const uint64_t result = result_of(node, step.width, step.low_width, values);
      return {result, result};
    }
    switch (node.operation) {
      case Operation::Select:
        if (a.is_point()) return a.least != 0 ? b : c;
        return {std::min(b.least, c.least), std::max(b.most, c.most)};
      case Operation::ZeroExtend: return a;
      case Operation::SignExtend: {
        if ((a.least ^ a.most) & sign_of(step.width)) return all_of(node.width);
        const uint64_t above = a.most & sign_of(step.width) ? mask_of(node.width) & ~mask_of(step.width) : 0;
        return {a.least | above, a.most | above};
      }
      case Operation::Extract: return extracted(a, node.value, node.width);
      case Operation::Concatenate: return {a.least << step.low_width | b.least, a.most << step.low_width | b.most};
      default: return binary_interval(node.operation, a, b, step.width);
    }
  }

  Model model() const {
    Model model;
    for (const size_t input : slice_.inputs) model[slice_.steps[input].node->value] = intervals_[input].least;
    return model;
  }

  const SliceSteps slice_;
  std::vector<Interval> intervals_;
  uint64_t work_ = 0;
};

}  // namespace

std::optional<Answer> solve_by_intervals(const Pool& pool, const Slice& slice) {
  constexpr size_t kInputsMost = 2;
  Ranges ranges(pool, slice);
  if (ranges.inputs() > kInputsMost) return std::nullopt;
  Answer answer = ranges.solve();
  if (answer.decision == Decision::Undecided) return std::nullopt;
  return answer;
}

}  // namespace heddle::symbolic
