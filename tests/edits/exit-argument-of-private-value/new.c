// A worker ends the process; what it ends with is private to it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int started;

static void *last(void *arg) {
  int seen = started;
  int code = seen ? 0 : 3;
  (void)seen;
  exit(code);  // ERROR(exit-code-differs)!
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, last, 0);
  started = 1;
  pthread_join(a, 0);
  return 0;
}
