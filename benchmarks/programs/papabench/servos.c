#include "servos.h"

#include <pthread.h>

#include "fixed_point.h"
#include "radio.h"

struct Travel {
  int least;
  int neutral;
  int most;
};

static const struct Travel kTravels[kServos] = {
    [kMotor] = {1000, 1000, 2000},        [kLeftAileron] = {1050, 1500, 1950}, [kRightAileron] = {1050, 1500, 1950},
    [kElevator] = {1100, 1520, 1900},     [kRudder] = {1000, 1480, 2000},
};

#define AILERON_DIFFERENTIAL 70  // percent of the travel upwards that is made downwards
#define RUDDER_OF_ROLL 25        // percent of roll that is mixed into the rudder
#define FAILSAFE_ROLL 1200
#define FAILSAFE_PITCH (-400)

struct Registers {
  pthread_mutex_t lock;
  int pulses[kServos];
  int changes;
};

static struct Registers registers = {PTHREAD_MUTEX_INITIALIZER, {1000, 1500, 1500, 1520, 1480}, 0};

static int pulse_of(enum Servo servo, int command) {
  const struct Travel* travel = &kTravels[servo];
  if (command >= 0) return interpolate(command, 0, travel->neutral, COMMAND_MAX, travel->most);
  return interpolate(command, -COMMAND_MAX, travel->least, 0, travel->neutral);
}

static int downwards(int command) { return command < 0 ? scale(command, AILERON_DIFFERENTIAL, 100) : command; }

static void mix(const struct ServoCommand* command, int pulses[kServos]) {
  const int roll = clamp(command->roll, -COMMAND_MAX, COMMAND_MAX);
  const int yaw = clamp(command->yaw + scale(roll, RUDDER_OF_ROLL, 100), -COMMAND_MAX, COMMAND_MAX);
  pulses[kMotor] = pulse_of(kMotor, clamp(command->throttle, 0, COMMAND_MAX));
  pulses[kLeftAileron] = pulse_of(kLeftAileron, downwards(roll));
  pulses[kRightAileron] = pulse_of(kRightAileron, -downwards(-roll));
  pulses[kElevator] = pulse_of(kElevator, clamp(command->pitch, -COMMAND_MAX, COMMAND_MAX));
  pulses[kRudder] = pulse_of(kRudder, yaw);
}

void servos_set(const struct ServoCommand* command) {
  int pulses[kServos];
  mix(command, pulses);
  pthread_mutex_lock(&registers.lock);
  for (int i = 0; i < kServos; i++) registers.pulses[i] = clamp(pulses[i], kTravels[i].least, kTravels[i].most);
  registers.changes++;
  pthread_mutex_unlock(&registers.lock);
}

// The motor off, a wide turn.
void servos_set_failsafe(void) {
  const struct ServoCommand command = {0, FAILSAFE_ROLL, FAILSAFE_PITCH, 0};
  servos_set(&command);
}

struct ServoPulses servos_read(void) {
  struct ServoPulses read;
  pthread_mutex_lock(&registers.lock);
  for (int i = 0; i < kServos; i++) read.pulses[i] = registers.pulses[i];
  read.changes = registers.changes;
  pthread_mutex_unlock(&registers.lock);
  return read;
}
