// A wait without a predicate: the signal may come first.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&m);
  pthread_cond_wait(&done, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
