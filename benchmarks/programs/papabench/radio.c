#include "radio.h"

#include "fixed_point.h"

#define LOST_AFTER 2
#define REALLY_LOST_AFTER 20
#define NEUTRAL_ZONE 12
#define TRIM_STEPS 4

struct Calibration {
  int least;
  int neutral;
  int most;
  int averaged;
  int from_zero;  // a throttle: its least pulse is 0
};

static const struct Calibration kCalibrations[CHANNELS] = {
    [kThrottle] = {1120, 1120, 2050, 0, 1}, [kRoll] = {1010, 1500, 1990, 0, 0},
    [kPitch] = {1010, 1498, 1990, 0, 0},    [kYaw] = {1010, 1493, 1990, 0, 0},
    [kModeSwitch] = {1010, 1500, 1990, 1, 0}, [kGain1] = {1010, 1500, 1990, 1, 0},
    [kGain2] = {1010, 1500, 1990, 1, 0},    [kCalibration] = {1010, 1500, 1990, 1, 0},
    [kLowPass] = {1010, 1500, 1990, 1, 0},
};

// The pilot gives full throttle, hands over to the autopilot after a second, and trims a little.
void radio_make_frame(struct Frame* frame, int time_ms) {
  for (int i = 0; i < CHANNELS; i++) frame->pulses[i] = kCalibrations[i].neutral;
  frame->pulses[kThrottle] = 1900;
  frame->pulses[kModeSwitch] = time_ms < 1000 ? 1950 : 1500;
  frame->pulses[kRoll] += 10 * (time_ms / 25 % TRIM_STEPS) - 5 * TRIM_STEPS;
  frame->pulses[kPitch] += time_ms % 50 == 0 ? 25 : -25;
  frame->valid = 1;
}

static int is_plausible(const struct Frame* frame) {
  if (!frame->valid) return 0;
  for (int i = 0; i < CHANNELS; i++) {
    if (frame->pulses[i] < PULSE_LEAST - 100 || frame->pulses[i] > PULSE_MOST + 100) return 0;
  }
  return 1;
}

static int value_of(int pulse, const struct Calibration* calibration) {
  int value;
  if (calibration->from_zero) {
    value = interpolate(pulse, calibration->least, 0, calibration->most, COMMAND_MAX);
    return clamp(value, 0, COMMAND_MAX);
  }
  if (absolute(pulse - calibration->neutral) < NEUTRAL_ZONE) return 0;
  if (pulse < calibration->neutral) {
    value = interpolate(pulse, calibration->least, -COMMAND_MAX, calibration->neutral, 0);
  } else {
    value = interpolate(pulse, calibration->neutral, 0, calibration->most, COMMAND_MAX);
  }
  return clamp(value, -COMMAND_MAX, COMMAND_MAX);
}

static void end_average(struct Receiver* receiver) {
  for (int i = 0; i < CHANNELS; i++) {
    if (!kCalibrations[i].averaged) continue;
    receiver->channels[i] = value_of(receiver->sums[i] / receiver->frames_in_sum, &kCalibrations[i]);
    receiver->sums[i] = 0;
  }
  receiver->frames_in_sum = 0;
  receiver->averaged = 1;
}

// Returns whether the frame was good.
int radio_decode(struct Receiver* receiver, const struct Frame* frame) {
  receiver->frames++;
  receiver->averaged = 0;
  if (!is_plausible(frame)) {
    receiver->bad_frames++;
    receiver->frames_since_good++;
    return 0;
  }
  receiver->frames_since_good = 0;
  receiver->frames_in_sum++;
  for (int i = 0; i < CHANNELS; i++) {
    if (kCalibrations[i].averaged) {
      receiver->sums[i] += frame->pulses[i];
    } else {
      receiver->channels[i] = value_of(frame->pulses[i], &kCalibrations[i]);
    }
  }
  if (receiver->frames_in_sum == AVERAGE_FRAMES) end_average(receiver);
  return 1;
}

int radio_is_lost(const struct Receiver* receiver) { return receiver->frames_since_good >= LOST_AFTER; }

int radio_is_really_lost(const struct Receiver* receiver) { return receiver->frames_since_good >= REALLY_LOST_AFTER; }

void radio_fill_message(const struct Receiver* receiver, struct RadioMessage* message) {
  for (int i = 0; i < CHANNELS; i++) message->channels[i] = receiver->channels[i];
  message->status = 0;
  if (!radio_is_lost(receiver)) message->status |= RADIO_OK;
  if (radio_is_really_lost(receiver)) message->status |= RADIO_REALLY_LOST;
  if (receiver->averaged) message->status |= AVERAGED_CHANNELS;
  message->pulses_per_second = receiver->frames > 40 ? 40 : receiver->frames;
}
