// Two threads wait for one condition variable with a mutex each, but one only after the other has ended.
#include <pthread.h>
#include <time.h>

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void give_up_after_a_while(pthread_mutex_t *m) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  pthread_mutex_lock(m);
  pthread_cond_timedwait(&c, m, &until);
  pthread_mutex_unlock(m);
}

static void *worker(void *arg) {
  give_up_after_a_while(&a);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  give_up_after_a_while(&b);
  return 0;
}
