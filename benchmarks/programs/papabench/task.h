// Periodic tasks: each is a thread that runs its handler a number of times.
//
// All threads have one entry, which calls the handler of the task that it is given.
#pragma once

#include <pthread.h>

#define TASKS_MAX 16

enum Computer { kSimulator, kAutopilot, kFlyByWire };

struct Task {
  const char* name;
  enum Computer computer;
  int period_ms;
  int runs;  // that it is to make
  void (*handler)(struct Task* task);
  int runs_made;
  pthread_t thread;
};

struct Schedule {
  struct Task* tasks[TASKS_MAX];
  int count;
};

void schedule_add(struct Schedule* schedule, struct Task* task, int runs);
void schedule_start(struct Schedule* schedule);
void schedule_join(struct Schedule* schedule);
int schedule_runs_missing(const struct Schedule* schedule);
int task_time_ms(const struct Task* task);  // since the start, as the task's own runs measure it
