// A bit-field that was never written, next to one that was.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

struct flags {
  unsigned kind : 3, size : 20, rest : 9;
};

static void *works(void *p) {
  struct flags flags;
  flags.kind = 1;
  if (flags.kind == 1 && flags.size == 5) sched_yield();  // ERROR(uninitialised-read)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return 0;
}
