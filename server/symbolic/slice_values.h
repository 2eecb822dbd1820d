// The operations of one slice in order, to be evaluated for one choice of values after another. Used by the ways to
// decide a slice that try values.
//
// In:      a pool, the conditions of a slice.
// Out:     the slice's inputs by number, of each the values that its own conditions leave; whether all conditions hold
//          for given values.
// Cost:    evaluate: one operation. Making one: 1024 values of each input of at most 10 bits.
// Owns:    the values; refers to the pool.
// Threads: one. Two threads may share a pool as long as none adds to it.
// Fails:   never.
#pragma once

#include <vector>

#include "server/symbolic/slice_steps.h"
#include "server/symbolic/solver.h"

namespace heddle::symbolic {

class SliceValues {
 public:
  SliceValues(const Pool& pool, const Slice& slice);

  // Values of an input that are left by the conditions that depend on it alone, ascending; or all.
  struct Candidates {
    uint64_t count = 0;
    std::vector<uint64_t> listed = {};  // empty: 0 to count - 1
    uint64_t at(uint64_t n) const { return listed.empty() ? n : listed[n]; }
  };

  size_t size() const { return slice_.order.size(); }
  size_t place_of(Expression expression) const {
    return slice_.place_of(expression);
  }  // REQUIRES that it is below the slice
  const Node& node(size_t place) const { return *slice_.steps[place].node; }
  size_t operand(size_t place, size_t n) const { return slice_.steps[place].operands[n]; }
  const std::vector<size_t>& conditions() const { return slice_.conditions; }  // places
  const std::vector<size_t>& inputs() const { return slice_.inputs; }          // places, by the inputs' numbers
  const std::vector<Candidates>& candidates() const { return candidates_; }    // of inputs()

  uint64_t value(size_t place) const { return values_[place]; }
  void set(size_t place, uint64_t value) { values_[place] = value; }
  void evaluate(size_t place);
  bool holds();  // all conditions, for the values of the inputs
  Model model() const;

 private:
  void find_users();
  Candidates candidates_of(size_t input);

  const SliceSteps slice_;
  std::vector<uint64_t> values_;
  std::vector<size_t> users_;  // by place: the input that it depends on, kNone, kSeveral
  std::vector<Candidates> candidates_;
};

}  // namespace heddle::symbolic
