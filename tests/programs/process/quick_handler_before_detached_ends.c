// As handler_before_detached_ends.c, by quick_exit().
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
  at_quick_exit(last);
  pthread_create(&t, NULL, works, NULL);
  pthread_detach(t);
  quick_exit(0);
}
