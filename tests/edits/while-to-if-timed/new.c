// STEP1: finds
// The same with a time limit: signalled in time, and yet too late.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int used = 0;
static _Thread_local int late = 0;

static void enter(void) {
  pthread_mutex_lock(&m);
  struct timespec end = {1, 0};
  if (used && !late)
    if (pthread_cond_timedwait(&changed, &m, &end) != 0) late = 1;
  assert(!used || late);  // ASSERT!
  used++;
  pthread_mutex_unlock(&m);
}

static void leave(void) {
  pthread_mutex_lock(&m);
  used--;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
  for (int round = 0; round < 2; round++) {
    enter();
    leave();
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  worker(NULL);
  pthread_join(t, NULL);
  return 0;
}
