// What comes after a printf is reached in a thread that is to be cancelled, too: a buffer takes the text.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int requested;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  const int to_be_cancelled = requested;
  pthread_mutex_unlock(&m);
  printf("working\n");
  assert(!to_be_cancelled);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&m);
  requested = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
