#include "examples/tour/edits.h"

namespace heddle::tour {

Example jobserver() {
  Example example;
  example.name = "jobserver";
  example.introduction = "A job server in C, eight files: workers, a queue, a cache, statistics.";
  example.syntax_only = {"clang-19", "-std=gnu17", "-fsyntax-only"};
  std::vector<Edit>& list = example.edits;
  list.push_back({.name = "a comment",
                  .file = "src/queue.c",
                  .changes = {{"bool queue_put(struct queue *queue, const struct job *job) {\n",
                               "// One job; see queue_put_all for many (note @).\n"
                               "bool queue_put(struct queue *queue, const struct job *job) {\n"}},
                  .rule = "",
                  .also = {},
                  .lines = {},
                  .harmless = true});
  list.push_back({.name = "a renamed local variable",
                  .file = "src/pool.c",
                  .changes = {{"  unsigned long value = pool->results[job - 1];\n",
                               "  unsigned long result_@ = pool->results[job - 1];\n"},
                              {"  pthread_mutex_unlock(&pool->lock);\n  return value;\n",
                               "  pthread_mutex_unlock(&pool->lock);\n  return result_@;\n"}},
                  .rule = "",
                  .also = {},
                  .lines = {},
                  .harmless = true});
  list.push_back({.name = "a new access under its lock",
                  .file = "src/pool.c",
                  .changes = {{"  pool->results[job->id - 1] = value;\n",
                               "  if (pool->results[job->id - 1] == @) pool->results[job->id - 1] = value;\n"}},
                  .rule = "",
                  .also = {},
                  .lines = {}});
  list.push_back({.name = "a lock dropped",
                  .file = "src/pool.c",
                  .changes = {{"  pthread_mutex_lock(&pool->lock);\n  pool->results[job->id - 1] = value;\n",
                               "pool->results[job->id - 1] = value;\n"},
                              {"pthread_cond_broadcast(&pool->idle);\n  pthread_mutex_unlock(&pool->lock);\n",
                               "pthread_cond_broadcast(&pool->idle);\n"}},
                  .rule = "data-race",
                  .also = {"lost-signal", "assertion", "lock-misuse", "use-after-free", "leak", "deadlock"},
                  .lines = {"  pool->pending--;"}});
  list.push_back({.name = "two locks in the other order",
                  .file = "src/pool.c",
                  .changes = {{"void pool_wait(struct pool *pool, struct stats_summary *summary) {\n"
                               "  pthread_mutex_lock(&pool->lock);\n",
                               "void pool_wait(struct pool *pool, struct stats_summary *summary) {\n"
                               "  pthread_mutex_lock(&pool->stats.lock);\n"
                               "  pthread_mutex_lock(&pool->lock);\n"},
                              {"  pthread_mutex_lock(&pool->stats.lock);\n  stats_summarise", "  stats_summarise"}},
                  .rule = "deadlock",
                  .also = {"lost-signal"},
                  .lines = {"  pthread_mutex_lock(&pool->lock);", "  pthread_mutex_lock(&stats->lock);"}});
  list.push_back({.name = "a signal forgotten",
                  .file = "src/queue.c",
                  .changes = {{"  queue->closed = true;\n  pthread_cond_broadcast(&queue->not_empty);\n",
                               "  queue->closed = true;\n"}},
                  .rule = "lost-signal",
                  .also = {},
                  .lines = {"  while (queue->count == 0 && !queue->closed) pthread_cond_wait(&queue->not_empty, "
                            "&queue->lock);"}});
  return example;
}

}  // namespace heddle::tour
