// Results by job: a hash table behind a reader-writer lock. When it is full, the oldest entry goes.
#ifndef JOBSERVER_CACHE_H
#define JOBSERVER_CACHE_H

#include <pthread.h>
#include <stdbool.h>

#include "job.h"

struct cache_entry {
  struct job job;
  unsigned long value;
  struct cache_entry *next_in_bucket;
  struct cache_entry *next_by_age;
};

struct cache {
  pthread_rwlock_t lock;
  struct cache_entry **buckets;
  int bucket_count;
  int size, limit;
  struct cache_entry *oldest, *newest;
};

bool cache_init(struct cache *cache, int bucket_count, int limit);
void cache_destroy(struct cache *cache);

bool cache_lookup(struct cache *cache, const struct job *job, unsigned long *value);

// Does nothing if the job is there already, or if there is no memory: the cache may forget, but not lie.
void cache_insert(struct cache *cache, const struct job *job, unsigned long value);

int cache_size(struct cache *cache);

#endif
