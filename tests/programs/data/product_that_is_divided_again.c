// Seconds become milliseconds: the product wraps from 4294968 on, and dividing it again says so.
// SETTINGS: unknown-data: symbolic
// SAYS: __VERIFIER_nondet_uint() = 4294968
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
static unsigned seconds, wrapped;

static void *convert(void *unused) {
  const unsigned milliseconds = seconds * 1000u;
  if (milliseconds / 1000u != seconds) wrapped++;  // RACE!
  return unused;
}

int main(void) {
  pthread_t first, second;
  seconds = __VERIFIER_nondet_uint();
  pthread_create(&first, 0, convert, 0);
  pthread_create(&second, 0, convert, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
