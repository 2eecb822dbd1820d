// Names, for the verdict, what the program may do by its language that Heddle does not explore: weaker memory orders,
// spurious failures of compare-exchange, spurious wake-ups, parallel algorithms, buffers of streams, other inputs.
//
// In:      facts of one version; whether spurious wake-ups are explored; what the settings give a program from outside
//          (null: a test case, which is given nothing).
// Out:     one sentence for each that the program uses in code that threads run, with places in the project; whether
//          any order is weaker than seq_cst, and whether anything is atomic at all.
// Cost:    one pass over the code.
// Owns:    nothing; values.
// Threads: pure function, callable anywhere.
// Fails:   never.
// From:    C17 7.17.3 and 7.17.7.4; C++20 [atomics.order], [thread.condition]. Differs: what the C++ standard library
//          does inside itself (reference counts, its locks) does not count.
#pragma once

#include <string>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/machine/symbolic/inputs.h"

namespace heddle::engine {

struct Beyond {
  std::string weaker_orders;              // the sentence; empty: no order is weaker than seq_cst
  std::vector<std::string> sentences;     // the others
  bool any_weaker_order = false;          // what `weaker_orders` names
  bool library_has_weaker_order = false;  // the C++ standard library, for itself
  bool any_atomic = false;                // also in libraries, and with seq_cst
};

Beyond not_explored(const analysis::Facts& facts, bool spurious_wakeups_explored, const machine::Inputs* given);

}  // namespace heddle::engine
