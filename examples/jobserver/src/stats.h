// What the server has done so far. Counters are atomic; the record of the largest result is under a lock.
#ifndef JOBSERVER_STATS_H
#define JOBSERVER_STATS_H

#include <pthread.h>
#include <stdatomic.h>

struct stats {
  atomic_uint cache_hits;
  atomic_uint cache_misses;
  pthread_mutex_t lock;
  int largest_job;  // guarded by lock; 0: none yet
  unsigned long largest_value;
};

struct stats_summary {
  unsigned cache_hits, cache_misses;
  int largest_job;
  unsigned long largest_value;
};

void stats_init(struct stats *stats);
void stats_destroy(struct stats *stats);
void stats_count_lookup(struct stats *stats, int hit);
void stats_note_result(struct stats *stats, int job, unsigned long value);
void stats_summarise(struct stats *stats, struct stats_summary *summary);  // the caller holds stats->lock

#endif
