// No access races: only what main returns tells that an update was lost.
// SAYS: in another interleaving, with the same inputs, main returns 0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *add(void *arg) {
  int seen = atomic_load(&n);
  atomic_store(&n, seen + 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (n != 2)  // ERROR(exit-code-differs)!
    return 1;
  return 0;  // ERROR(exit-code-differs)?
}
