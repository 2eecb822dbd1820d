// The servos: commands to pulses, written into registers that the simulated aircraft reads.
#pragma once

#include "messages.h"

enum Servo { kMotor, kLeftAileron, kRightAileron, kElevator, kRudder, kServos };

struct ServoCommand {
  int throttle;
  int roll;
  int pitch;
  int yaw;
};

struct ServoPulses {
  int pulses[kServos];
  int changes;
};

void servos_set(const struct ServoCommand* command);
void servos_set_failsafe(void);
struct ServoPulses servos_read(void);
