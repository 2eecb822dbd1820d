#include "cache.h"

#include <stdlib.h>

bool cache_init(struct cache *cache, int bucket_count, int limit) {
  cache->buckets = calloc((size_t)bucket_count, sizeof(struct cache_entry *));
  if (!cache->buckets) return false;
  cache->bucket_count = bucket_count;
  cache->size = 0;
  cache->limit = limit;
  cache->oldest = cache->newest = NULL;
  pthread_rwlock_init(&cache->lock, NULL);
  return true;
}

void cache_destroy(struct cache *cache) {
  struct cache_entry *entry = cache->oldest;
  while (entry) {
    struct cache_entry *next = entry->next_by_age;
    free(entry);
    entry = next;
  }
  free(cache->buckets);
  pthread_rwlock_destroy(&cache->lock);
}

static struct cache_entry **bucket_of(struct cache *cache, const struct job *job) {
  return &cache->buckets[job_hash(job) % (unsigned)cache->bucket_count];
}

// The caller holds the lock, for reading at least.
static struct cache_entry *find(struct cache *cache, const struct job *job) {
  for (struct cache_entry *entry = *bucket_of(cache, job); entry; entry = entry->next_in_bucket)
    if (job_same(&entry->job, job)) return entry;
  return NULL;
}

bool cache_lookup(struct cache *cache, const struct job *job, unsigned long *value) {
  pthread_rwlock_rdlock(&cache->lock);
  struct cache_entry *entry = find(cache, job);
  if (entry) *value = entry->value;
  pthread_rwlock_unlock(&cache->lock);
  return entry != NULL;
}

static void remove_from_bucket(struct cache *cache, struct cache_entry *victim) {
  struct cache_entry **link = bucket_of(cache, &victim->job);
  while (*link != victim) link = &(*link)->next_in_bucket;
  *link = victim->next_in_bucket;
}

// The caller holds the lock for writing.
static void evict_oldest(struct cache *cache) {
  struct cache_entry *victim = cache->oldest;
  remove_from_bucket(cache, victim);
  cache->oldest = victim->next_by_age;
  if (!cache->oldest) cache->newest = NULL;
  cache->size--;
  free(victim);
}

static void add(struct cache *cache, struct cache_entry *entry) {
  struct cache_entry **bucket = bucket_of(cache, &entry->job);
  entry->next_in_bucket = *bucket;
  *bucket = entry;
  entry->next_by_age = NULL;
  if (cache->newest) {
    cache->newest->next_by_age = entry;
  } else {
    cache->oldest = entry;
  }
  cache->newest = entry;
  cache->size++;
}

void cache_insert(struct cache *cache, const struct job *job, unsigned long value) {
  struct cache_entry *entry = malloc(sizeof *entry);
  if (!entry) return;
  entry->job = *job;
  entry->value = value;
  pthread_rwlock_wrlock(&cache->lock);
  if (find(cache, job)) {
    free(entry);
  } else {
    if (cache->size == cache->limit) evict_oldest(cache);
    add(cache, entry);
  }
  pthread_rwlock_unlock(&cache->lock);
}

int cache_size(struct cache *cache) {
  pthread_rwlock_rdlock(&cache->lock);
  int size = cache->size;
  pthread_rwlock_unlock(&cache->lock);
  return size;
}
