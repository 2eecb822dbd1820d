// What an edit changes where no pointer leads: the clock, files, signal masks and whatever else library functions keep
// for themselves. No object stands for it, so an edit of it is followed no further: everything is taken as changed.
//
// In:      facts of one version, calls of it. Out: which states the calls may change, and which the program looks at.
// Cost:    linear in the code that the calls run.
// Owns:    nothing. Threads: pure. Fails: never; over-approximates, but for what libraries write to streams.
#pragma once

#include "server/analysis/hidden_state.h"
#include "server/edit/propagate.h"

namespace heddle::edit {

struct EditedCalls {
  std::vector<CodeAddress> whole;      // made, left out, or made under other conditions: all that they run counts
  std::vector<CodeAddress> arguments;  // called with something else: what they run is followed by its parameters
};

analysis::HiddenStates hidden_writes(const Facts& facts, const EditedCalls& calls);
analysis::HiddenStates hidden_reads(const Facts& facts);  // by any thread

// A loop whose rounds may pause otherwise than before.
bool pauses_in_loop(Views& views, const EditedCalls& calls);

// What the instruction itself may read and write.
analysis::HiddenUse hidden_use_at(const Facts& facts, CodeAddress at);

}  // namespace heddle::edit
