// One bit is set in a number that was never written; another one decides.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static void *works(void *p) {
  unsigned *flags = malloc(sizeof *flags);
  *flags |= 4;
  int count = 0;
  if (*flags & 4) ++count;
  if (*flags & 2) ++count;  // ERROR(uninitialised-read)!
  if (count == 2) sched_yield();
  free(flags);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
