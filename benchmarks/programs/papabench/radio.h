// The radio receiver: pulses of the pilot's remote control to channel values.
#pragma once

#include "messages.h"

#define PULSE_LEAST 1000  // microseconds
#define PULSE_NEUTRAL 1500
#define PULSE_MOST 2000
#define AVERAGE_FRAMES 2

struct Frame {
  int pulses[CHANNELS];
  int valid;
};

// Owned by the one task that reads the radio.
struct Receiver {
  int channels[CHANNELS];
  int sums[CHANNELS];
  int frames_in_sum;
  int frames;
  int bad_frames;
  int frames_since_good;
  int averaged;
};

void radio_make_frame(struct Frame* frame, int time_ms);  // what the pilot does at this time
int radio_decode(struct Receiver* receiver, const struct Frame* frame);
int radio_is_lost(const struct Receiver* receiver);
int radio_is_really_lost(const struct Receiver* receiver);
void radio_fill_message(const struct Receiver* receiver, struct RadioMessage* message);
