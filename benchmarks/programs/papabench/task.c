#include "task.h"

#include <assert.h>

static void* run_task(void* argument) {
  struct Task* task = argument;
  for (int run = 0; run < task->runs; run++) {
    task->handler(task);
    task->runs_made++;
  }
  return 0;
}

void schedule_add(struct Schedule* schedule, struct Task* task, int runs) {
  assert(schedule->count < TASKS_MAX);
  task->runs = runs;
  task->runs_made = 0;
  schedule->tasks[schedule->count++] = task;
}

void schedule_start(struct Schedule* schedule) {
  for (int i = 0; i < schedule->count; i++) {
    const int failed = pthread_create(&schedule->tasks[i]->thread, 0, run_task, schedule->tasks[i]);
    assert(!failed);
  }
}

void schedule_join(struct Schedule* schedule) {
  for (int i = 0; i < schedule->count; i++) pthread_join(schedule->tasks[i]->thread, 0);
}

int schedule_runs_missing(const struct Schedule* schedule) {
  int missing = 0;
  for (int i = 0; i < schedule->count; i++) missing += schedule->tasks[i]->runs - schedule->tasks[i]->runs_made;
  return missing;
}

int task_time_ms(const struct Task* task) { return task->runs_made * task->period_ms; }
