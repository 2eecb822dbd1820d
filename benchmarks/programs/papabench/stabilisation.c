#include "stabilisation.h"

#include "autopilot.h"
#include "estimator.h"
#include "fixed_point.h"
#include "infrared.h"

#define ROLL_GAIN 18
#define ROLL_RATE_GAIN 6
#define PITCH_GAIN 22
#define PITCH_OF_ROLL 25     // percent of the roll that the nose goes up in a turn
#define ELEVATOR_OF_THROTTLE (-4)
#define RATE_FILTER 3

// Owned by the task: what it saw in its last run.
static int last_roll;
static int roll_rate;

static int roll_loop(int roll, int roll_wanted) {
  const int error = clamp(roll_wanted - roll, -QUARTER_CIRCLE, QUARTER_CIRCLE);
  roll_rate += (roll - last_roll - roll_rate) / RATE_FILTER;
  last_roll = roll;
  return ROLL_GAIN * error - ROLL_RATE_GAIN * roll_rate;
}

static int pitch_loop(int pitch, int pitch_wanted, int roll, int throttle) {
  const int nose_up = scale(absolute(roll), PITCH_OF_ROLL, 100);
  const int error = clamp(pitch_wanted + nose_up - pitch, -QUARTER_CIRCLE, QUARTER_CIRCLE);
  return PITCH_GAIN * error + ELEVATOR_OF_THROTTLE * scale(throttle, 100, COMMAND_MAX);
}

static void run_stabilisation(struct Task* task) {
  (void)task;
  const struct IrReading reading = infrared_read();
  estimator_update_from_infrared(&reading);
  const struct Estimate estimate = estimator_copy();
  const struct Setpoints wanted = autopilot_setpoints();
  const int aileron = roll_loop(estimate.roll, wanted.roll);
  const int elevator = pitch_loop(estimate.pitch, wanted.pitch, estimate.roll, wanted.throttle);
  autopilot_set_commands(aileron, elevator, wanted.throttle);
}

struct Task stabilisation_task = {
    .name = "stabilisation", .computer = kAutopilot, .period_ms = 50, .handler = run_stabilisation};
