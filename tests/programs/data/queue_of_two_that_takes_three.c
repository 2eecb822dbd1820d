// The test for a full queue compares with the wrong bound: the third number destroys what lies behind.
// SETTINGS: unknown-data: symbolic
// SAYS: __VERIFIER_nondet_uint() = 3

#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int places[2];
static unsigned used;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *argument) {
  const unsigned *count = argument;
  for (unsigned i = 0; i < *count; ++i) {
    pthread_mutex_lock(&guard);
    if (used <= 2) places[used++] = 1;  // ERROR(out-of-bounds)!
    pthread_mutex_unlock(&guard);
  }
  return 0;
}

int main(void) {
  unsigned count = __VERIFIER_nondet_uint();
  if (count > 4) return 0;
  pthread_t thread;
  pthread_create(&thread, 0, fill, &count);
  pthread_join(thread, 0);
  return 0;
}
