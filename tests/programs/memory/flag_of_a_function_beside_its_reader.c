// The flag of a function that has returned, which a thread that has started spins on: no livelock.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int started;

static void *spins(void *p) {
  atomic_char *go = p;
  atomic_store(&started, 1);
  while (!atomic_load(go)) {  // ERROR(use-after-free)!
  }
  return 0;
}

static void begin(pthread_t *t) {
  atomic_char go = 0;
  pthread_create(t, 0, spins, &go);
  while (!atomic_load(&started)) {
  }
  atomic_store(&go, 1);
}

int main(void) {
  pthread_t t;
  begin(&t);
  pthread_join(t, 0);
  return 0;
}
