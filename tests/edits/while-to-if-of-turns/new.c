// STEP1: finds
// The thread that gave the signal may enter again before the woken one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int used = 0;

static void enter(void) {
  pthread_mutex_lock(&m);
  if (used) pthread_cond_wait(&changed, &m);
  assert(!used);  // ASSERT!
  used = 1;
  pthread_mutex_unlock(&m);
}

static void leave(void) {
  pthread_mutex_lock(&m);
  used = 0;
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
