// May a step of an interleaving come before another one? Answered from what happens before what in the interleaving.
//
// In:      a finding's trace; two of its steps, from 0.
// Out:     "possible", and the steps in an order that has them so and keeps all that orders them; or "impossible", and
//          what orders the two. Where a moved step has a conflict with one that it passes, the answer says so: values
//          and what the threads do from there on may differ.
// Cost:    linear in the steps and their edges.
// Owns:    values.
// Threads: pure function.
// Fails:   with a message: no such step.
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

}  // namespace heddle::client
