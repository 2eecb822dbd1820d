// VERDICT: inconclusive
// SAYS: main starts no thread
// The thread's function would be in a structure.
#include <threads.h>

struct pool {
  thrd_start_t job;
  thrd_t thread;
};

static void start(struct pool *pool) {
  if (pool->job) thrd_create(&pool->thread, pool->job, 0);
}

int main(void) {
  static struct pool pool;
  start(&pool);
  return 0;
}
