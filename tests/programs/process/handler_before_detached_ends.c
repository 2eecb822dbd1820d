// Other threads continue while a handler of exit() runs: there is no data race, and the assertion may fail.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int closed;

static void last(void) { closed = 1; }

static void *works(void *arg) {
  assert(!closed);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  atexit(last);
  pthread_create(&t, NULL, works, NULL);
  pthread_detach(t);
  return 0;
}
