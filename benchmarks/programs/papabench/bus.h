// The bus between the two computers: a queue in each direction, and each queue is a monitor.
//
// A queue that is full drops its oldest message: the newest counts for control.
#pragma once

#include "messages.h"

#define BUS_SLOTS 2

void bus_send_radio(const struct RadioMessage* message);
int bus_receive_radio(struct RadioMessage* message);  // 0: there was none, or it was damaged
void bus_send_command(const struct CommandMessage* message);
int bus_receive_command(struct CommandMessage* message);

struct BusCounts {
  int sent;
  int received;
  int dropped;
  int damaged;
  int waiting;
};

struct BusCounts bus_counts_of_radio(void);
struct BusCounts bus_counts_of_commands(void);
