// VERDICT: clear
// The C library says that a thread cannot join itself.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static void *worker(void *arg) {
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  const int result = thrd_join(thrd_current(), NULL);
  assert(result == thrd_error);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
