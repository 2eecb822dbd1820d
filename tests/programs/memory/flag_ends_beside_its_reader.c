// A thread spins on a flag whose block ends as soon as the flag is set. It reads the flag once more: no livelock.
#include <pthread.h>
#include <stdatomic.h>

static void *spins(void *p) {
  atomic_int *go = p;
  while (!atomic_load(go)) {  // ERROR(use-after-free)!
  }
  return 0;
}

int main(void) {
  pthread_t t;
  {
    atomic_int go = 0;
    pthread_create(&t, 0, spins, &go);
    atomic_store(&go, 1);
  }
  pthread_join(t, 0);
  return 0;
}
