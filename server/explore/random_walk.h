// Schedules drawn at random: no proof, a first impression, and something to compare the searches with.
#pragma once

#include "server/explore/report.h"

namespace heddle::explore {

// Task::budget.executions_max executions (1,000 if none is given), equal for equal seeds.
void random_walk(Driver& driver, Reporter& reporter, const Task& task);

}  // namespace heddle::explore
