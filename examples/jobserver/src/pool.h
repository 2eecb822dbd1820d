// A pool of workers that take jobs from a queue and store their results.
#ifndef JOBSERVER_POOL_H
#define JOBSERVER_POOL_H

#include <pthread.h>
#include <stdbool.h>

#include "cache.h"
#include "config.h"
#include "queue.h"
#include "stats.h"

struct pool {
  struct queue queue;
  struct cache cache;
  struct stats stats;
  pthread_t *threads;
  int thread_count;

  pthread_mutex_t lock;  // taken before stats.lock, where both are held
  pthread_cond_t idle;
  int pending;              // guarded by lock: submitted and not finished
  unsigned long *results;   // guarded by lock: by job id, from 1
  int result_count;
};

bool pool_start(struct pool *pool, const struct config *config, int result_count);
int pool_submit(struct pool *pool, const struct job *jobs, int count);
void pool_wait(struct pool *pool, struct stats_summary *summary);  // until nothing is pending
unsigned long pool_result(struct pool *pool, int job);
void pool_stop(struct pool *pool);  // finishes what was submitted, then joins the workers

#endif
