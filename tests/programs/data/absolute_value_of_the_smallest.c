// The smallest int has no absolute value; only what its negation is shows it.
// SETTINGS: unknown-data: symbolic
// SAYS: = -2147483648

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static unsigned distance;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *measure(void *unused) {
  const int n = __VERIFIER_nondet_int();
  const unsigned size = n < 0 ? 0u - (unsigned)n : (unsigned)n;
  pthread_mutex_lock(&guard);
  distance = size;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, measure, 0);
  pthread_mutex_lock(&guard);
  assert((int)distance >= 0);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
