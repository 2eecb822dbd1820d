// Conversions between widths: the relation holds for all 65,536 values.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

extern short __VERIFIER_nondet_short(void);

static short given;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *give(void *unused) {
  const short n = __VERIFIER_nondet_short();
  pthread_mutex_lock(&guard);
  given = n;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, give, 0);
  pthread_mutex_lock(&guard);
  const int wide = given;
  const unsigned char low = (unsigned char)given;
  const signed char high = (signed char)(given >> 8);
  pthread_mutex_unlock(&guard);
  assert(high * 256 + low == wide);
  pthread_join(thread, 0);
  return 0;
}
