// Schedules drawn at random: no proof, but a first impression, and something to compare the searches with. Internal to
// the folder.
//
// In:      a Driver whose machine is in its first state; a Task with a seed.
// Out:     findings and statistics to the Reporter; Completeness::ExecutionLimit unless it was stopped before.
// Owns:    nothing after it returns.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include "server/explore/report.h"

namespace heddle::explore {

// Task::budget.executions_max executions (1,000 if none is given), equal for equal seeds.
void random_walk(Driver& driver, Reporter& reporter, const Task& task);

}  // namespace heddle::explore
