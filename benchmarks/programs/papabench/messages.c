#include "messages.h"

#define POLYNOMIAL 0x1021

static int add_to_checksum(int checksum, int value) {
  for (int byte = 0; byte < 2; byte++) {
    checksum ^= ((value >> (8 * byte)) & 0xff) << 8;
    for (int bit = 0; bit < 8; bit++) {
      checksum = checksum & 0x8000 ? (checksum << 1) ^ POLYNOMIAL : checksum << 1;
      checksum &= 0xffff;
    }
  }
  return checksum;
}

static int checksum_of_radio(const struct RadioMessage* message) {
  int checksum = 0xffff;
  for (int i = 0; i < CHANNELS; i++) checksum = add_to_checksum(checksum, message->channels[i]);
  checksum = add_to_checksum(checksum, message->status);
  checksum = add_to_checksum(checksum, message->pulses_per_second);
  return add_to_checksum(checksum, message->supply_decivolts);
}

static int checksum_of_command(const struct CommandMessage* message) {
  int checksum = 0xffff;
  checksum = add_to_checksum(checksum, message->throttle);
  checksum = add_to_checksum(checksum, message->roll);
  checksum = add_to_checksum(checksum, message->pitch);
  checksum = add_to_checksum(checksum, message->gain1);
  checksum = add_to_checksum(checksum, message->gain2);
  return add_to_checksum(checksum, message->number);
}

void seal_radio_message(struct RadioMessage* message) { message->checksum = checksum_of_radio(message); }

int is_intact_radio_message(const struct RadioMessage* message) {
  return message->checksum == checksum_of_radio(message);
}

void seal_command_message(struct CommandMessage* message) { message->checksum = checksum_of_command(message); }

int is_intact_command_message(const struct CommandMessage* message) {
  return message->checksum == checksum_of_command(message);
}
