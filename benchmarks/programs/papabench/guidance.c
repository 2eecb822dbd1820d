#include "guidance.h"

#include "autopilot.h"
#include "estimator.h"
#include "fixed_point.h"

#define COURSE_GAIN 60  // percent
#define COURSE_ROLL_MOST 350
#define SPEED_NOMINAL 1250
#define ALTITUDE_GAIN 12  // percent
#define CLIMB_MOST 300
#define CLIMB_LEAST (-250)
#define CRUISE_THROTTLE (COMMAND_MAX * 45 / 100)
#define THROTTLE_OF_CLIMB 9
#define PITCH_OF_CLIMB 30  // percent
#define INTEGRAL_MOST 4000
#define LEVEL_BAND 100

// Owned by climb control.
static int climb_error_sum;

int guidance_roll_of_course(int course, int course_wanted, int ground_speed) {
  const int error = normalise_angle(course_wanted - course);
  const int by_speed = clamp(scale(ground_speed, 100, SPEED_NOMINAL), 50, 150);
  const int roll = scale(scale(error, COURSE_GAIN, 100), by_speed, 100);
  return clamp(roll, -COURSE_ROLL_MOST, COURSE_ROLL_MOST);
}

static void run_altitude_control(struct Task* task) {
  (void)task;
  const struct Modes modes = autopilot_modes();
  if (modes.vertical != kVerticalAltitude) return;
  const struct Estimate estimate = estimator_copy();
  const struct Setpoints wanted = autopilot_setpoints();
  const int error = wanted.altitude - estimate.altitude;
  const int climb = absolute(error) < LEVEL_BAND ? 0 : scale(error, ALTITUDE_GAIN, 100);
  autopilot_want_climb(clamp(climb, CLIMB_LEAST, CLIMB_MOST));
}

static int throttle_of_climb(int climb, int climb_wanted) {
  const int error = climb_wanted - climb;
  climb_error_sum = clamp(climb_error_sum + error, -INTEGRAL_MOST, INTEGRAL_MOST);
  return CRUISE_THROTTLE + THROTTLE_OF_CLIMB * climb_wanted + error + climb_error_sum / 10;
}

static void run_climb_control(struct Task* task) {
  (void)task;
  const struct Modes modes = autopilot_modes();
  if (modes.vertical != kVerticalClimb && modes.vertical != kVerticalAltitude) {
    climb_error_sum = 0;
    return;
  }
  const struct Estimate estimate = estimator_copy();
  const struct Setpoints wanted = autopilot_setpoints();
  const int throttle = throttle_of_climb(estimate.climb, wanted.climb);
  const int pitch = scale(wanted.climb, PITCH_OF_CLIMB, 100);
  autopilot_want_throttle(throttle);
  autopilot_want_attitude(wanted.roll, pitch);
}

struct Task altitude_control_task = {
    .name = "altitude control", .computer = kAutopilot, .period_ms = 250, .handler = run_altitude_control};
struct Task climb_control_task = {
    .name = "climb control", .computer = kAutopilot, .period_ms = 250, .handler = run_climb_control};
