// One size wraps to a block that is given back at once; who looks between the two steps uses it afterwards.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int *shared;
static int freed;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *shrink(void *unused) {
  const unsigned wanted = __VERIFIER_nondet_uint();
  pthread_mutex_lock(&guard);
  const unsigned bytes = wanted * 24u + 8u;
  if (bytes == 0xfffffff8u) {
    free(shared);
    freed = 1;
  }
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  shared = malloc(sizeof *shared);
  if (shared == 0) return 1;
  *shared = 1;
  pthread_t thread;
  pthread_create(&thread, 0, shrink, 0);
  pthread_mutex_lock(&guard);
  *shared = 2;  // ERROR(use-after-free)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  if (!freed) free(shared);
  return 0;
}
