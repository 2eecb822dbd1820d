// VERDICT: clear
// Its own cleanup handler runs first, then the control is free again, then the caller's handler runs.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inner, outer;

static void count(void *what) { ++*(int *)what; }

static void unlock(void *what) {
  outer += inner;
  pthread_mutex_unlock(what);
}

static void make(void) {
  pthread_cleanup_push(count, &inner);
  if (inner == 0) pthread_exit(0);
  pthread_cleanup_pop(0);
}

static void *work(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_once(&once, make);
  pthread_cleanup_pop(1);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(inner == 1 && outer == 2);
  return 0;
}
