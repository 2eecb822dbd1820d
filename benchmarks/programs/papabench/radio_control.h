// Autopilot task: what the pilot wants, as the fly-by-wire computer received it.
#pragma once

#include "task.h"

extern struct Task radio_control_task;

struct RadioControlReport {
  int messages;
  int mode_wishes;
  int calibrations;
};

struct RadioControlReport radio_control_report(void);  // once the tasks have ended
