// Autopilot task: writes messages for the ground station into a ring of bytes, and the ground station reads them.
#pragma once

#include "task.h"

extern struct Task reporting_task;

struct TelemetryCounts {
  int messages;
  int bytes_written;
  int bytes_read;
  int bytes_lost;
};

struct TelemetryCounts telemetry_counts(void);
int telemetry_drain(void);  // by the ground station: how many bytes were there
