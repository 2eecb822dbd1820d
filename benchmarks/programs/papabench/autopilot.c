#include "autopilot.h"

#include <assert.h>
#include <pthread.h>

#include "fixed_point.h"

#define SUPPLY_CATASTROPHIC 93
#define ROLL_WANTED_MOST 450
#define PITCH_WANTED_MOST 300

struct ModeState {
  pthread_mutex_t lock;
  struct Modes modes;
};

struct SetpointState {
  pthread_mutex_t lock;
  struct Setpoints wanted;
};

struct CommandState {
  pthread_mutex_t lock;
  struct Commands commands;
};

struct SupplyState {
  pthread_mutex_t lock;
  int decivolts;
  int warnings;
};

static struct ModeState mode_state = {PTHREAD_MUTEX_INITIALIZER, {kAuto2, kLateralCourse, kVerticalAltitude, 1, 0}};
static struct SetpointState setpoints = {PTHREAD_MUTEX_INITIALIZER, {.altitude = 4000, .throttle = COMMAND_MAX / 2}};
static struct CommandState command_state = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct SupplyState supply = {PTHREAD_MUTEX_INITIALIZER, 126, 0};

// Row: from; column: to.
static const int kAllowed[kModes][kModes] = {
    [kManual] = {1, 1, 1, 0},
    [kAuto1] = {1, 1, 1, 1},
    [kAuto2] = {1, 1, 1, 1},
    [kHome] = {1, 1, 1, 1},
};

static const enum LateralMode kLateralOf[kModes] = {kLateralManual, kLateralRoll, kLateralCourse, kLateralCourse};
static const enum VerticalMode kVerticalOf[kModes] = {kVerticalManual, kVerticalThrottle, kVerticalAltitude,
                                                      kVerticalAltitude};

struct Modes autopilot_modes(void) {
  pthread_mutex_lock(&mode_state.lock);
  const struct Modes modes = mode_state.modes;
  pthread_mutex_unlock(&mode_state.lock);
  assert(modes.lateral == kLateralOf[modes.mode] && modes.vertical == kVerticalOf[modes.mode]);
  return modes;
}

int autopilot_enter(enum AutopilotMode mode) {
  pthread_mutex_lock(&mode_state.lock);
  struct Modes* modes = &mode_state.modes;
  const int allowed = kAllowed[modes->mode][mode];
  if (allowed && modes->mode != mode) {
    modes->mode = mode;
    modes->lateral = kLateralOf[mode];
    modes->vertical = kVerticalOf[mode];
    modes->changes++;
  }
  pthread_mutex_unlock(&mode_state.lock);
  return allowed;
}

void autopilot_launch(void) {
  pthread_mutex_lock(&mode_state.lock);
  mode_state.modes.launched = 1;
  pthread_mutex_unlock(&mode_state.lock);
}

struct Setpoints autopilot_setpoints(void) {
  pthread_mutex_lock(&setpoints.lock);
  const struct Setpoints wanted = setpoints.wanted;
  pthread_mutex_unlock(&setpoints.lock);
  return wanted;
}

void autopilot_want_course(int course, int altitude) {
  pthread_mutex_lock(&setpoints.lock);
  setpoints.wanted.course = normalise_angle(course);
  setpoints.wanted.altitude = altitude;
  setpoints.wanted.navigation_runs++;
  pthread_mutex_unlock(&setpoints.lock);
}

void autopilot_want_climb(int climb) {
  pthread_mutex_lock(&setpoints.lock);
  setpoints.wanted.climb = climb;
  pthread_mutex_unlock(&setpoints.lock);
}

void autopilot_want_attitude(int roll, int pitch) {
  pthread_mutex_lock(&setpoints.lock);
  setpoints.wanted.roll = clamp(roll, -ROLL_WANTED_MOST, ROLL_WANTED_MOST);
  setpoints.wanted.pitch = clamp(pitch, -PITCH_WANTED_MOST, PITCH_WANTED_MOST);
  pthread_mutex_unlock(&setpoints.lock);
}

void autopilot_want_throttle(int throttle) {
  pthread_mutex_lock(&setpoints.lock);
  setpoints.wanted.throttle = clamp(throttle, 0, COMMAND_MAX);
  pthread_mutex_unlock(&setpoints.lock);
}

void autopilot_set_commands(int aileron, int elevator, int throttle) {
  pthread_mutex_lock(&command_state.lock);
  command_state.commands.aileron = clamp(aileron, -COMMAND_MAX, COMMAND_MAX);
  command_state.commands.elevator = clamp(elevator, -COMMAND_MAX, COMMAND_MAX);
  command_state.commands.throttle = throttle;
  command_state.commands.number++;
  pthread_mutex_unlock(&command_state.lock);
}

struct Commands autopilot_commands(void) {
  pthread_mutex_lock(&command_state.lock);
  const struct Commands commands = command_state.commands;
  pthread_mutex_unlock(&command_state.lock);
  return commands;
}

void autopilot_note_supply(int decivolts) {
  pthread_mutex_lock(&supply.lock);
  supply.decivolts = decivolts;
  if (decivolts < SUPPLY_CATASTROPHIC) supply.warnings++;
  pthread_mutex_unlock(&supply.lock);
}

int autopilot_supply(void) {
  pthread_mutex_lock(&supply.lock);
  const int decivolts = supply.decivolts;
  pthread_mutex_unlock(&supply.lock);
  return decivolts;
}
