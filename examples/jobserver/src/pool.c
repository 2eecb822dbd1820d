#include "pool.h"

#include <stdlib.h>

#include "log.h"

static unsigned long compute(struct pool *pool, const struct job *job) {
  unsigned long value = 0;
  bool hit = cache_lookup(&pool->cache, job, &value);
  stats_count_lookup(&pool->stats, hit);
  if (!hit) {
    value = job_run(job);
    cache_insert(&pool->cache, job, value);
  }
  log_write(LOG_DEBUG, "job %d: %s%s", job->id, job_name(job->kind), hit ? " (cached)" : "");
  return value;
}

static void finish(struct pool *pool, const struct job *job, unsigned long value) {
  pthread_mutex_lock(&pool->lock);
  pool->results[job->id - 1] = value;
  stats_note_result(&pool->stats, job->id, value);
  pool->pending--;
  if (pool->pending == 0) pthread_cond_broadcast(&pool->idle);
  pthread_mutex_unlock(&pool->lock);
}

static void *worker(void *argument) {
  struct pool *pool = argument;
  const struct job *job;
  while ((job = queue_take(&pool->queue)) != NULL) {
    unsigned long value = compute(pool, job);
    finish(pool, job, value);
  }
  return NULL;
}

static bool allocate(struct pool *pool, const struct config *config, int result_count) {
  pool->threads = calloc((size_t)config->workers, sizeof *pool->threads);
  pool->results = calloc((size_t)result_count, sizeof *pool->results);
  if (pool->threads && pool->results) {
    if (cache_init(&pool->cache, config->cache_buckets, config->cache_entries)) {
      if (queue_init(&pool->queue, config->queue_capacity)) return true;
      cache_destroy(&pool->cache);
    }
  }
  free(pool->threads);
  free(pool->results);
  return false;
}

bool pool_start(struct pool *pool, const struct config *config, int result_count) {
  if (!allocate(pool, config, result_count)) return false;
  stats_init(&pool->stats);
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->idle, NULL);
  pool->pending = 0;
  pool->result_count = result_count;
  pool->thread_count = 0;
  for (int i = 0; i < config->workers; i++) {
    if (pthread_create(&pool->threads[i], NULL, worker, pool) != 0) {
      log_write(LOG_WARNING, "only %d of %d workers started", i, config->workers);
      break;
    }
    pool->thread_count++;
  }
  return pool->thread_count > 0;
}

int pool_submit(struct pool *pool, const struct job *jobs, int count) {
  pthread_mutex_lock(&pool->lock);
  pool->pending += count;
  pthread_mutex_unlock(&pool->lock);
  return queue_put_all(&pool->queue, jobs, count);
}

void pool_wait(struct pool *pool, struct stats_summary *summary) {
  pthread_mutex_lock(&pool->lock);
  while (pool->pending > 0) pthread_cond_wait(&pool->idle, &pool->lock);
  pthread_mutex_lock(&pool->stats.lock);
  stats_summarise(&pool->stats, summary);
  pthread_mutex_unlock(&pool->stats.lock);
  pthread_mutex_unlock(&pool->lock);
}

unsigned long pool_result(struct pool *pool, int job) {
  pthread_mutex_lock(&pool->lock);
  unsigned long value = pool->results[job - 1];
  pthread_mutex_unlock(&pool->lock);
  return value;
}

void pool_stop(struct pool *pool) {
  queue_close(&pool->queue);
  for (int i = 0; i < pool->thread_count; i++) pthread_join(pool->threads[i], NULL);
  pthread_cond_destroy(&pool->idle);
  pthread_mutex_destroy(&pool->lock);
  stats_destroy(&pool->stats);
  cache_destroy(&pool->cache);
  queue_destroy(&pool->queue);
  free(pool->results);
  free(pool->threads);
}
