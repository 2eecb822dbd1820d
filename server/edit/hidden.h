// Finds what an edit changes where no pointer leads: the clock, files, signal masks and other state of library
// functions. No object stands for this state, so such an edit counts as a change of everything.
//
// In:      facts of one version, calls of it.
// Out:     the kinds of state that the calls may change, and those that the program reads.
// Cost:    linear in the code that the calls run; hidden_reads is linear in the program.
// Owns:    nothing.
// Threads: pure functions, except that pauses_in_loop fills the views: one thread.
// Fails:   never; it over-approximates. Library functions that write to streams count as writing to the terminal.
#pragma once

#include "server/edit/propagate.h"
#include "server/library/function.h"

namespace heddle::edit {

struct EditedCalls {
  std::vector<CodeAddress> whole;      // inserted, deleted, or under other conditions: all that they run counts
  std::vector<CodeAddress> arguments;  // with other arguments: the change is followed through the parameters
};

library::HiddenStates hidden_writes(const Facts& facts, const EditedCalls& calls);
library::HiddenStates hidden_reads(const Facts& facts);  // by any thread

// True if a call of `whole` that may pause runs in a loop: its iterations may then pause differently.
bool pauses_in_loop(Views& views, const EditedCalls& calls);

// What the instruction itself may read and write.
library::HiddenUse hidden_use_at(const Facts& facts, CodeAddress at);

}  // namespace heddle::edit
