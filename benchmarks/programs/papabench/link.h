// Autopilot task: sends the commands of stabilisation to the fly-by-wire computer.
#pragma once

#include "task.h"

extern struct Task link_send_task;

int link_messages_sent(void);  // once the tasks have ended
