// Autopilot task: makes the aircraft lie in the air as guidance wants.
#pragma once

#include "task.h"

extern struct Task stabilisation_task;
