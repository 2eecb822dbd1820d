// The flag is freed as soon as it is set, beside a thread that spins on it: no livelock.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct state {
  long long padding;
  atomic_llong go;
};

static void *spins(void *p) {
  struct state *s = p;
  while (atomic_load(&s->go) == 0) {  // ERROR(use-after-free)! ERROR(data-race)!
  }
  return 0;
}

int main(void) {
  pthread_t t;
  struct state *s = calloc(1, sizeof *s);
  pthread_create(&t, 0, spins, s);
  atomic_store(&s->go, 1);
  free(s);  // ERROR(data-race)!
  pthread_join(t, 0);
  return 0;
}
