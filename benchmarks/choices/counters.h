// Counters by which threads tell that they have come to a place: a thread that waits until a number of others have
// counted cannot go on before they have.
//
// In:      facts of one version; the control and data flow of its functions (null: no role runs it).
// Out:     Counters: a variable that one statement alone changes, by one, at most once per thread; the ways that are
// open
//          only if it has reached a number.
// Cost:    linear in the code.
// Owns:    values.
// Threads: pure.
// Fails:   never; what is not recognised is not there.
// From:    MHB, pattern 1 (wait). Differs: whoever waits looks at a count first, so a wait is not on every path; what
//          everybody has to pass is the comparison.
#pragma once

#include <memory>
#include <vector>

#include "benchmarks/choices/joined_threads.h"

namespace heddle::bench {

struct Counter {
  program::GlobalId global;
  uint32_t offset = 0, bytes = 0;
  analysis::ObjectId object;
  program::CodeAddress change;  // the store
  bool upwards = true;
  std::vector<analysis::RoleId> roles;  // that run it
  struct Gate {
    int64_t number = 0;  // the ways are open from here on
    Passages passages;
  };
  std::vector<Gate> gates;
};

std::vector<Counter> find_counters(const analysis::Facts& facts,
                                   const std::vector<std::unique_ptr<analysis::CodeGraph>>& graphs);

}  // namespace heddle::bench
