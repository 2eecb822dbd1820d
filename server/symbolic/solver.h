// Decides whether a path condition can hold, and finds the smallest inputs for which it does. Z3 is asked by slice,
// unless the slice has so few values that each can be tried.
//
// In:      a pool, conditions of one bit, and a bound on the solver's work in Z3's own units.
// Out:     an Answer. A model is the smallest: least in its first input, by number, then in the next, all unsigned.
// Cost:    one call of Z3 or more per slice that is not remembered; a slice that is costs a lookup.
// Owns:    the answers of past slices. Z3 starts at the first slice that needs it and keeps nothing between slices.
// Threads: one per solver.
// Fails:   Undecided, when the bound is reached or Z3 gives up. The caller must name it as a limit of its verdict.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "server/symbolic/slices.h"

namespace heddle::symbolic {

enum class Decision : uint8_t { Satisfiable, Unsatisfiable, Undecided };

struct Answer {
  Decision decision = Decision::Undecided;
  Model model;  // of every input in the conditions, if they are satisfiable
};

struct Statistics {
  uint64_t queries = 0;  // slices that Z3 was given
  uint64_t tried = 0;    // slices that were decided by trying values or ranges of them
  uint64_t hits = 0;     // slices that were remembered
};

class Solver {
 public:
  Solver(const Pool& pool, uint32_t work_max) : pool_(pool), work_max_(work_max) {}
  Answer solve(std::span<const Expression> conditions);
  // The slice that `wanted` is in, alone; the model has its inputs. Enough where the other conditions are known to hold
  // together. The answer stays until the solver ends.
  const Answer& solve_slice_of(Expression wanted, std::span<const Expression> conditions);
  const Statistics& statistics() const { return statistics_; }

 private:
  const Answer& answer_to(const Slice& slice);
  const std::vector<uint64_t>& inputs_below(Expression condition);

  const Pool& pool_;
  const uint32_t work_max_;  // per call of Z3; 0 leaves undecided what is not small
  std::map<Slice, Answer> answers_;
  std::unordered_map<uint32_t, std::vector<uint64_t>> inputs_;  // by the number of a condition: those below it
  Statistics statistics_;
};

}  // namespace heddle::symbolic
