// May a step of an interleaving come before another one, and what happens then? The first is answered from what happens
// before what in the interleaving, the second by the engine, which continues from the order that is asked for.
//
// In:      a finding's trace; two of its steps, from 0.
// Out:     "possible", and the steps in an order that has them so and keeps all that orders them; or "impossible", and
//          what orders the two. Where a moved step has a conflict with one that it passes, the answer says so: values
//          and what the threads do from there on may differ.
// Cost:    linear in the steps and their edges.
// Owns:    values.
// Threads: reorder() is a pure function; continue_from_order() waits for the backend.
// Fails:   with a message: no such step, no answer of the engine, no schedule that leads there.
// From:    a set of events that is closed under happens-before is the beginning of an execution (Mazurkiewicz traces).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "client/link/backend.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

struct Reordered {
  bool possible = false;
  std::string answer;      // "impossible: `m` orders them: ...", numbers of steps from 1
  std::vector<int> order;  // of all steps, if possible
};

std::variant<Reordered, Failure> reorder(const v1::Finding& finding, int step, int before);

// The interleaving with the step before the other one, run to its end by the engine.
struct Continued {
  v1::Finding finding;  // what it leads to; without a rule: no error, as its message says
  int moved = 0;        // the step of its trace that was moved
  bool is_error() const { return !finding.rule().empty(); }
  std::string outcome(const v1::Finding& before) const;  // "it leads to the same error", "no error: ..."
};
// REQUIRES reorder() says that it is possible, and it is not so already.
std::variant<Continued, Failure> continue_from_order(Backend& backend, const v1::CheckRequest& project,
                                                     const v1::Finding& finding, int step, int before);

}  // namespace heddle::client
