// Counters that threads raise when they come to a place. A thread that waits for a number of others cannot continue
// before that number has counted.
//
// In:      facts of one version; the control and data flow of its functions (null: no role runs it).
// Out:     Counters: a variable that one statement alone changes, by one, at most once per thread; the
//          branches that are open only if it has reached a number.
// Cost:    linear in the code.
// Owns:    values.
// Threads: pure.
// Fails:   never; what is not recognised is not there.
// From:    MHB, pattern 1 (wait). Differs: a waiting thread looks at a count first, so a wait is not on every path; the
//          comparison is.
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
