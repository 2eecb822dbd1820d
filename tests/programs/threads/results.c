// VERDICT: clear
// Results by return and by pthread_exit, nested threads, pthread_self and pthread_equal.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(intptr_t value) { pthread_exit((void *)value); }

static void *inner(void *arg) {
  leave((intptr_t)arg + 1);
  return NULL;
}

static void *outer(void *arg) {
  pthread_t t;
  void *result;
  assert(pthread_equal(pthread_self(), pthread_self()));
  pthread_create(&t, NULL, inner, arg);
  pthread_join(t, &result);
  return (void *)((intptr_t)result * 2);
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, outer, (void *)20);
  assert(!pthread_equal(t, pthread_self()));
  pthread_join(t, &result);
  assert((intptr_t)result == 42);
  return 0;
}
