// What the two computers send each other over the bus.
#pragma once

#define COMMAND_MAX 9600
#define CHANNELS 9

enum Channel {
  kThrottle,
  kRoll,
  kPitch,
  kYaw,
  kModeSwitch,
  kGain1,
  kGain2,
  kCalibration,
  kLowPass,
};

// Bits of RadioMessage::status.
#define RADIO_OK 1
#define RADIO_REALLY_LOST 2
#define AVERAGED_CHANNELS 4
#define MANUAL_MODE 8

// From the fly-by-wire computer to the autopilot.
struct RadioMessage {
  int channels[CHANNELS];
  int status;
  int pulses_per_second;
  int supply_decivolts;
  int checksum;
};

// From the autopilot to the fly-by-wire computer.
struct CommandMessage {
  int throttle;
  int roll;
  int pitch;
  int gain1;
  int gain2;
  int number;
  int checksum;
};

void seal_radio_message(struct RadioMessage* message);
int is_intact_radio_message(const struct RadioMessage* message);
void seal_command_message(struct CommandMessage* message);
int is_intact_command_message(const struct CommandMessage* message);
