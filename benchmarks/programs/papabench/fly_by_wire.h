// The fly-by-wire computer: it reads the radio, moves the servos, and survives without the autopilot.
#pragma once

#include "task.h"

enum FlyByWireMode { kFbwManual, kFbwAuto, kFbwFailsafe };

extern struct Task test_ppm_task;               // decodes a frame of the radio
extern struct Task send_to_autopilot_task;      // sends what was decoded to the autopilot
extern struct Task check_autopilot_values_task; // takes commands of the autopilot and moves the servos
extern struct Task check_failsafe_task;         // without a command: moves the servos to a safe place

struct FlyByWireReport {
  enum FlyByWireMode mode;
  int commands_used;
  int failsafes;
  int last_command;
};

struct FlyByWireReport fly_by_wire_report(void);
