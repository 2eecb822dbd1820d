// The thread that prints under a lock has a handler that unlocks.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *lock) { pthread_mutex_unlock(lock); }

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  puts("working");
  pthread_cleanup_pop(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
