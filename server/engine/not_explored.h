// What a program may do of which this version of Heddle explores less than the language allows, in words for its
// verdict: weaker memory orders, spurious failures of compare-exchange, spurious wake-ups.
//
// In:      facts of one version. Out: one sentence for each that the program uses in code that a thread may run, with the
//          places in the project; none for what it does not use.
// Cost:    one pass over the code. Owns: nothing. Threads: pure function. Fails: never.
// From:    C17 7.17.3 and 7.17.7.4, C++20 [atomics.order], [thread.condition]. Differs: what the C++ standard library
//          does inside of itself (reference counts, its locks) does not count.
#pragma once

#include <string>
#include <vector>

#include "server/analysis/analysis.h"

namespace heddle::engine {

std::vector<std::string> not_explored_behaviour(const analysis::Facts& facts, bool spurious_wakeups_explored);

}  // namespace heddle::engine
