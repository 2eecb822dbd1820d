// Chooses drivers: which threads call what, so that every pair of calls runs concurrently in one of them.
//
// In:      the calls of a subject.
// Out:     drivers of two threads, and one of three where there are few calls. Where some calls fill the object, each
//          is there twice or three times: on a fresh object, and on one that was filled before the threads start, with
//          different arguments and with the same ones.
// Cost:    at most about 50 drivers: with more calls than five, a thread makes two or three.
// Owns:    values.
// Threads: any.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "server/frontend/harness/subject.h"

namespace heddle::frontend::harness {

struct Step {
  size_t call = 0;     // of the subject
  size_t variant = 0;  // of its arguments
  bool other = false;  // on the other object, with the first one as its argument
};

struct Driver {
  std::string label;  // "push_with_pop"
  std::vector<std::vector<Step>> threads;
  std::vector<Step> before;  // the threads start
  bool compares = false;     // the results, with those of sequential orders
};

// `linearizable`: and drivers that compare the results; some threads make two calls, so that results can contradict
// each other.
std::vector<Driver> plan(const Subject& subject, bool linearizable);

}  // namespace heddle::frontend::harness
