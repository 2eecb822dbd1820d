// Two C++ programs that no work on speed looked at, with the same kinds of edits as the examples: whether a save is quick
// there, too.
//
// Out:     examples whose folders are in benchmarks/save/programs.
// Owns:    constant data. Threads: constant data.
#pragma once

#include "examples/tour/edits.h"

namespace heddle::bench {

tour::Example indexer();
tour::Example chatroom();

}  // namespace heddle::bench
