// Step 1 on the machine: runs the pairwise search for a Task's pair of threads and fragment. Internal to the folder.
//
// In:      a Driver whose machine is in its first state; facts (null: no thread of the pair is found); a Task of
//          Mode::Pairwise.
// Out:     findings and statistics to the Reporter.
// Owns:    nothing after it returns.
// Threads: the thread that uses the machine.
// Fails:   never; limits are in the Reporter's Result.
#pragma once

#include "server/explore/report.h"

namespace heddle::explore {

void search_pair(Driver& driver, Reporter& reporter, const analysis::Facts* facts, const Task& task);

}  // namespace heddle::explore
