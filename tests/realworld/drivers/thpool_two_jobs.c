/* A pool of one thread, two jobs, a wait for both. */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "thpool.h"

static atomic_int done;

static void job(void* unused) {
  (void)unused;
  atomic_fetch_add(&done, 1);
}

int main(void) {
  threadpool pool = thpool_init(1);
  thpool_add_work(pool, job, NULL);
  thpool_add_work(pool, job, NULL);
  thpool_wait(pool);
  assert(done == 2);
  thpool_destroy(pool);
  return 0;
}
