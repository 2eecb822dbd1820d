// Two numbers that are the same free the same memory twice.
// SETTINGS: unknown-data: symbolic

#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static char *blocks[2];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *drop(void *unused) {
  const unsigned n = __VERIFIER_nondet_uint();
  if (n > 1) return unused;
  pthread_mutex_lock(&guard);
  free(blocks[n]);  // ERROR(double-free)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  blocks[0] = malloc(8);
  blocks[1] = malloc(8);
  pthread_t first, second;
  pthread_create(&first, 0, drop, 0);
  pthread_create(&second, 0, drop, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
