// Attributes that are initialised, or hold zeros, in every object; one is initialised again after its end.
// VERDICT: clear
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m;
static pthread_cond_t c;
static pthread_rwlock_t l;
static pthread_barrier_t b;
static pthread_attr_t zeros;
static int ready;

static void *works(void *arg) {
  struct timespec limit = {.tv_sec = 5};
  pthread_rwlock_timedrdlock(&l, &limit);
  pthread_rwlock_unlock(&l);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_barrier_wait(&b);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t of_mutex;
  pthread_condattr_t of_condition;
  pthread_rwlockattr_t of_lock;
  pthread_barrierattr_t of_barrier;
  pthread_mutexattr_init(&of_mutex);
  pthread_mutexattr_destroy(&of_mutex);
  pthread_mutexattr_init(&of_mutex);
  pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_ERRORCHECK);
  pthread_condattr_init(&of_condition);
  pthread_rwlockattr_init(&of_lock);
  pthread_barrierattr_init(&of_barrier);
  pthread_mutex_init(&m, &of_mutex);
  pthread_cond_init(&c, &of_condition);
  pthread_rwlock_init(&l, &of_lock);
  pthread_barrier_init(&b, &of_barrier, 2);
  pthread_mutexattr_destroy(&of_mutex);
  pthread_condattr_destroy(&of_condition);
  pthread_rwlockattr_destroy(&of_lock);
  pthread_barrierattr_destroy(&of_barrier);
  pthread_create(&t, &zeros, works, NULL);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_barrier_wait(&b);
  pthread_join(t, NULL);
  return 0;
}
