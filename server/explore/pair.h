// Step 1 on the machine: the pair of threads and the fragment of a Task, for the pairwise search.
#pragma once

#include "server/explore/report.h"

namespace heddle::explore {

void search_pair(Driver& driver, Reporter& reporter, const analysis::Facts* facts, const Task& task);

}  // namespace heddle::explore
