// The autopilot's modes, and what its tasks tell each other to do.
//
// Radio control chooses the mode. Navigation wants a course and an altitude, guidance turns them into a roll, a pitch and
// a throttle, stabilisation turns those into commands for the servos.
#pragma once

#include "messages.h"

enum AutopilotMode { kManual, kAuto1, kAuto2, kHome, kModes };
enum LateralMode { kLateralManual, kLateralRate, kLateralRoll, kLateralCourse };
enum VerticalMode { kVerticalManual, kVerticalThrottle, kVerticalClimb, kVerticalAltitude };

struct Modes {
  enum AutopilotMode mode;
  enum LateralMode lateral;
  enum VerticalMode vertical;
  int launched;
  int changes;
};

struct Setpoints {
  int course;           // tenths of a degree; wanted by navigation
  int altitude;         // centimetres
  int climb;            // centimetres per second; wanted by altitude control
  int roll;             // tenths of a degree; wanted by guidance or by the pilot
  int pitch;
  int throttle;         // of COMMAND_MAX
  int navigation_runs;
};

struct Commands {
  int aileron;
  int elevator;
  int throttle;
  int number;  // grows with each run of stabilisation
};

struct Modes autopilot_modes(void);
// Changes the mode if that is allowed from the one that is; returns whether it is the mode now.
int autopilot_enter(enum AutopilotMode mode);
void autopilot_launch(void);

struct Setpoints autopilot_setpoints(void);
void autopilot_want_course(int course, int altitude);
void autopilot_want_climb(int climb);
void autopilot_want_attitude(int roll, int pitch);
void autopilot_want_throttle(int throttle);

void autopilot_set_commands(int aileron, int elevator, int throttle);
struct Commands autopilot_commands(void);

void autopilot_note_supply(int decivolts);
int autopilot_supply(void);
