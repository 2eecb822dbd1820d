#include "link.h"

#include "autopilot.h"
#include "bus.h"

#define GAIN_1 400
#define GAIN_2 380

// Owned by the task.
static int messages_sent;

static void run_link_send(struct Task* task) {
  (void)task;
  const struct Modes modes = autopilot_modes();
  const struct Commands commands = autopilot_commands();
  struct CommandMessage message;
  message.throttle = modes.launched ? commands.throttle : 0;
  message.roll = commands.aileron;
  message.pitch = commands.elevator;
  message.gain1 = GAIN_1;
  message.gain2 = modes.mode == kAuto1 ? GAIN_1 : GAIN_2;
  message.number = ++messages_sent;
  seal_command_message(&message);
  bus_send_command(&message);
}

int link_messages_sent(void) { return messages_sent; }

struct Task link_send_task = {
    .name = "link send", .computer = kAutopilot, .period_ms = 50, .handler = run_link_send};
