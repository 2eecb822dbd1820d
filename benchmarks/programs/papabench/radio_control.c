#include "radio_control.h"

#include "autopilot.h"
#include "bus.h"
#include "estimator.h"
#include "fixed_point.h"

#define MODE_THRESHOLD (COMMAND_MAX / 2)
#define ROLL_OF_STICK 400   // tenths of a degree at the end of the stick's way
#define PITCH_OF_STICK 250
#define LAUNCH_THROTTLE (COMMAND_MAX * 8 / 10)
#define CALIBRATION_STEP 5

// Owned by the task.
static struct RadioControlReport report;
static int gain_trim;

static enum AutopilotMode mode_of_switch(int value) {
  if (value > MODE_THRESHOLD) return kManual;
  return value < -MODE_THRESHOLD ? kAuto2 : kAuto1;
}

static void choose_mode(const struct RadioMessage* message) {
  if (message->status & RADIO_REALLY_LOST) {
    autopilot_enter(kHome);
    return;
  }
  if (!(message->status & AVERAGED_CHANNELS)) return;
  report.mode_wishes++;
  autopilot_enter(mode_of_switch(message->channels[kModeSwitch]));
}

// In the first automatic mode the sticks name angles.
static void use_sticks(const struct RadioMessage* message, const struct Modes* modes) {
  if (modes->lateral == kLateralRoll) {
    const int roll = scale(message->channels[kRoll], ROLL_OF_STICK, COMMAND_MAX);
    const int pitch = scale(message->channels[kPitch], PITCH_OF_STICK, COMMAND_MAX);
    autopilot_want_attitude(roll, pitch);
  }
  if (modes->vertical == kVerticalThrottle) autopilot_want_throttle(message->channels[kThrottle]);
}

static void calibrate(const struct RadioMessage* message) {
  const int wish = sign_of(message->channels[kCalibration]);
  if (wish == 0) return;
  gain_trim = clamp(gain_trim + wish * CALIBRATION_STEP, -50, 50);
  report.calibrations++;
}

static void run_radio_control(struct Task* task) {
  (void)task;
  struct RadioMessage message;
  if (!bus_receive_radio(&message)) return;
  report.messages++;
  autopilot_note_supply(message.supply_decivolts);
  choose_mode(&message);
  const struct Modes modes = autopilot_modes();
  use_sticks(&message, &modes);
  if (modes.mode != kManual) calibrate(&message);
  if (!modes.launched && message.channels[kThrottle] > LAUNCH_THROTTLE) {
    autopilot_launch();
    estimator_take_off();
  }
}

struct RadioControlReport radio_control_report(void) { return report; }

struct Task radio_control_task = {
    .name = "radio control", .computer = kAutopilot, .period_ms = 25, .handler = run_radio_control};
