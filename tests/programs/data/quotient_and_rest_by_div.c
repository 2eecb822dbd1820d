// div() and ldiv(): quotient and rest belong together, and one divisor is zero.
// SETTINGS: unknown-data: symbolic
// SAYS: = 4
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long rows;

static void *place(void *unused) {
  const int n = __VERIFIER_nondet_int();
  if (n < -9 || n > 9) return unused;
  const ldiv_t at = ldiv(n, 4);
  assert(at.quot * 4 + at.rem == n);
  const div_t part = div(100, n - 4);  // ERROR(division-by-zero)!
  pthread_mutex_lock(&guard);
  rows += part.quot;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, place, 0);
  pthread_join(thread, 0);
  return 0;
}
