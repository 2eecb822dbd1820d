// Autopilot task: reads the satellite receiver and follows the flight plan.
#pragma once

#include "task.h"

extern struct Task navigation_task;

struct NavigationReport {
  int block;
  int stage;
  int stages_completed;
  int distance_to_home;
};

struct NavigationReport navigation_report(void);
