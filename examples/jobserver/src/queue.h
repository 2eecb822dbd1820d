// A bounded queue of jobs. Once closed it takes no more jobs, and runs empty.
#ifndef JOBSERVER_QUEUE_H
#define JOBSERVER_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

#include "job.h"

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  const struct job **slots;
  int capacity;
  int head, count;
  bool closed;
};

bool queue_init(struct queue *queue, int capacity);
void queue_destroy(struct queue *queue);

bool queue_put(struct queue *queue, const struct job *job);  // waits for room; false if closed
// All or as many as fit while it is open; waits for room. Returns how many were taken.
int queue_put_all(struct queue *queue, const struct job *jobs, int count);
const struct job *queue_take(struct queue *queue);  // waits for a job; NULL once closed and empty
void queue_close(struct queue *queue);

#endif
