/* A pool of two threads, two tasks, a regular end. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "src/threadpool.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void task(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  ++done;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  threadpool_t* pool = threadpool_create(2, 2, 0);
  assert(pool != NULL);
  assert(threadpool_add(pool, task, NULL, 0) == 0);
  assert(threadpool_add(pool, task, NULL, 0) == 0);
  assert(threadpool_destroy(pool, threadpool_graceful) == 0);
  assert(done == 2);
  return 0;
}
