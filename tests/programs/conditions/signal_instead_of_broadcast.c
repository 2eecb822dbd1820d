// Two waiters, one signal: one of them waits for ever.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int started;

static void *runner(void *arg) {
  pthread_mutex_lock(&m);
  while (!started) pthread_cond_wait(&go, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, runner, NULL);
  pthread_create(&b, NULL, runner, NULL);
  pthread_mutex_lock(&m);
  started = 1;
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
