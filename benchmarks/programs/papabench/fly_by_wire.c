#include "fly_by_wire.h"

#include <assert.h>
#include <pthread.h>

#include "bus.h"
#include "environment.h"
#include "fixed_point.h"
#include "radio.h"
#include "servos.h"

#define MANUAL_BELOW (-COMMAND_MAX / 2)
#define MANUAL_ABOVE (COMMAND_MAX / 2)
#define CHECKS_WITHOUT_AUTOPILOT 10

// What the four tasks of this computer share.
struct FlyByWire {
  pthread_mutex_t lock;
  enum FlyByWireMode mode;
  struct Receiver receiver;
  int radio_ok;
  int autopilot_ok;
  int checks_since_command;
  int commands_used;
  int last_command;
  int failsafes;
};

static struct FlyByWire state = {.lock = PTHREAD_MUTEX_INITIALIZER, .mode = kFbwAuto, .autopilot_ok = 1};

static enum FlyByWireMode wanted_mode_locked(const struct FlyByWire* fbw) {
  if (!fbw->radio_ok && !fbw->autopilot_ok) return kFbwFailsafe;
  if (!fbw->autopilot_ok) return kFbwManual;
  if (!fbw->radio_ok) return kFbwAuto;
  return fbw->receiver.channels[kModeSwitch] > MANUAL_ABOVE ? kFbwManual : kFbwAuto;
}

static struct ServoCommand manual_command_locked(const struct FlyByWire* fbw) {
  const int* channels = fbw->receiver.channels;
  return (struct ServoCommand){channels[kThrottle], channels[kRoll], channels[kPitch], channels[kYaw]};
}

static void test_ppm(struct Task* task) {
  struct Frame frame;
  struct ServoCommand command;
  radio_make_frame(&frame, task_time_ms(task));
  pthread_mutex_lock(&state.lock);
  state.radio_ok = radio_decode(&state.receiver, &frame) && !radio_is_lost(&state.receiver);
  state.mode = wanted_mode_locked(&state);
  const int manual = state.mode == kFbwManual;
  if (manual) command = manual_command_locked(&state);
  pthread_mutex_unlock(&state.lock);
  if (manual) servos_set(&command);
}

static void send_to_autopilot(struct Task* task) {
  (void)task;
  struct RadioMessage message;
  const int supply = environment_supply_decivolts();
  pthread_mutex_lock(&state.lock);
  radio_fill_message(&state.receiver, &message);
  if (state.mode == kFbwManual) message.status |= MANUAL_MODE;
  pthread_mutex_unlock(&state.lock);
  message.supply_decivolts = supply;
  seal_radio_message(&message);
  bus_send_radio(&message);
}

static void use_command(const struct CommandMessage* message) {
  pthread_mutex_lock(&state.lock);
  assert(message->number > state.last_command);
  state.last_command = message->number;
  state.commands_used++;
  state.checks_since_command = 0;
  state.autopilot_ok = 1;
  state.mode = wanted_mode_locked(&state);
  const int automatic = state.mode == kFbwAuto;
  pthread_mutex_unlock(&state.lock);
  if (!automatic) return;
  const struct ServoCommand command = {message->throttle, message->roll, message->pitch, 0};
  servos_set(&command);
}

static void check_autopilot_values(struct Task* task) {
  (void)task;
  struct CommandMessage message;
  if (bus_receive_command(&message)) {
    use_command(&message);
    return;
  }
  pthread_mutex_lock(&state.lock);
  state.checks_since_command++;
  state.autopilot_ok = state.checks_since_command < CHECKS_WITHOUT_AUTOPILOT;
  pthread_mutex_unlock(&state.lock);
}

static void check_failsafe(struct Task* task) {
  (void)task;
  pthread_mutex_lock(&state.lock);
  state.mode = wanted_mode_locked(&state);
  const int failsafe = state.mode == kFbwFailsafe;
  if (failsafe) state.failsafes++;
  pthread_mutex_unlock(&state.lock);
  if (failsafe) servos_set_failsafe();
}

struct FlyByWireReport fly_by_wire_report(void) {
  pthread_mutex_lock(&state.lock);
  const struct FlyByWireReport report = {state.mode, state.commands_used, state.failsafes, state.last_command};
  pthread_mutex_unlock(&state.lock);
  return report;
}

struct Task test_ppm_task = {.name = "test ppm", .computer = kFlyByWire, .period_ms = 25, .handler = test_ppm};
struct Task send_to_autopilot_task = {
    .name = "send to autopilot", .computer = kFlyByWire, .period_ms = 25, .handler = send_to_autopilot};
struct Task check_autopilot_values_task = {
    .name = "check autopilot values", .computer = kFlyByWire, .period_ms = 50, .handler = check_autopilot_values};
struct Task check_failsafe_task = {
    .name = "check failsafe", .computer = kFlyByWire, .period_ms = 50, .handler = check_failsafe};
