#include "stats.h"

void stats_init(struct stats *stats) {
  atomic_init(&stats->cache_hits, 0);
  atomic_init(&stats->cache_misses, 0);
  pthread_mutex_init(&stats->lock, NULL);
  stats->largest_job = 0;
  stats->largest_value = 0;
}

void stats_destroy(struct stats *stats) { pthread_mutex_destroy(&stats->lock); }

void stats_count_lookup(struct stats *stats, int hit) {
  atomic_uint *counter = hit ? &stats->cache_hits : &stats->cache_misses;
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

// Of equal values the smaller job number wins, so that the summary does not depend on the order of jobs.
void stats_note_result(struct stats *stats, int job, unsigned long value) {
  pthread_mutex_lock(&stats->lock);
  int better = stats->largest_job == 0 || value > stats->largest_value ||
               (value == stats->largest_value && job < stats->largest_job);
  if (better) {
    stats->largest_job = job;
    stats->largest_value = value;
  }
  pthread_mutex_unlock(&stats->lock);
}

void stats_summarise(struct stats *stats, struct stats_summary *summary) {
  summary->cache_hits = atomic_load_explicit(&stats->cache_hits, memory_order_relaxed);
  summary->cache_misses = atomic_load_explicit(&stats->cache_misses, memory_order_relaxed);
  summary->largest_job = stats->largest_job;
  summary->largest_value = stats->largest_value;
}
