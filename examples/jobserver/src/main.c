// Runs a fixed list of jobs on a pool of workers and reports the results.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"
#include "job.h"
#include "log.h"
#include "pool.h"

static const char settings[] =
    "# jobserver\n"
    "workers = 2\n"
    "queue_capacity = 4\n"
    "cache_buckets = 8\n"
    "cache_entries = 4   # small, so that old results go\n"
    "log_level = info\n";

static const char *const work[] = {
    "primes 30",
    "checksum heddle",
};

enum { JOBS = sizeof work / sizeof work[0] };

static void read_settings(struct config *config) {
  struct config_error error;
  config_defaults(config);
  if (!config_parse(config, settings, &error)) {
    fprintf(stderr, "settings:%d: %s\n", error.line, error.message);
    exit(2);
  }
  log_set_level(config->log_level);
}

static void read_jobs(struct job *jobs) {
  for (int i = 0; i < JOBS; i++) {
    if (!job_parse(&jobs[i], work[i])) {
      fprintf(stderr, "no such job: %s\n", work[i]);
      exit(2);
    }
    jobs[i].id = i + 1;
  }
}

static void report(struct pool *pool, const struct job *jobs, const struct stats_summary *summary) {
  for (int i = 0; i < JOBS; i++)
    printf("job %d (%s): %lu\n", jobs[i].id, job_name(jobs[i].kind), pool_result(pool, jobs[i].id));
  printf("cache: %u hits, %u misses, %d entries\n", summary->cache_hits, summary->cache_misses,
         cache_size(&pool->cache));
  printf("largest result: %lu, of job %d\n", summary->largest_value, summary->largest_job);
}

int main(void) {
  struct config config;
  struct job jobs[JOBS];
  struct pool pool;
  struct stats_summary summary;

  read_settings(&config);
  read_jobs(jobs);
  if (!pool_start(&pool, &config, JOBS)) {
    fprintf(stderr, "no workers\n");
    return 1;
  }
  int submitted = pool_submit(&pool, jobs, JOBS);
  pool_wait(&pool, &summary);
  report(&pool, jobs, &summary);
  pool_stop(&pool);

  assert(submitted == JOBS);
  assert(summary.cache_hits + summary.cache_misses == JOBS);
  assert(summary.largest_job == 2);
  log_write(LOG_INFO, "%d jobs done", submitted);
  log_dump(stdout);
  return 0;
}
