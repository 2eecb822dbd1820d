// The predicate becomes true, but nobody signals.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int finished;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  finished = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&m);
  while (!finished) pthread_cond_wait(&done, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
