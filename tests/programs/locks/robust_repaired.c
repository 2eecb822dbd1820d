// VERDICT: clear
// Whoever gets the mutex of a dead owner repairs the data and says so: the others go on as ever.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, ready, data;

static void make(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attributes);
}

static void *waits(void *arg) {
  if (pthread_mutex_lock(&m) != 0) return arg;
  waiting = 1;
  int result = 0;
  while (result == 0 && !ready) result = pthread_cond_wait(&changed, &m);
  if (result == EOWNERDEAD) pthread_mutex_consistent(&m);
  data++;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *dies(void *arg) {
  pthread_mutex_lock(&m);
  if (!waiting) pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t waiter, owner;
  make();
  pthread_create(&waiter, NULL, waits, NULL);
  pthread_create(&owner, NULL, dies, NULL);
  pthread_join(owner, NULL);
  if (pthread_mutex_lock(&m) == EOWNERDEAD) {
    data = 0;
    pthread_mutex_consistent(&m);
  }
  ready = 1;
  pthread_cond_signal(&changed);
  assert(pthread_mutex_unlock(&m) == 0);
  pthread_join(waiter, NULL);
  return 0;
}
