// The divisor is zero for one input, and only before the other thread has added to it.
// SETTINGS: unknown-data: symbolic
// SAYS: = 253
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int quotient, offset;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *divide(void *unused) {
  const int n = __VERIFIER_nondet_int();
  pthread_mutex_lock(&guard);
  if (n > 250 && n < 260 && n % 23 == 0) quotient = 100 / (n - 253 + offset);  // ERROR(division-by-zero)!
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *shift(void *unused) {
  pthread_mutex_lock(&guard);
  offset = 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, divide, 0);
  pthread_create(&second, 0, shift, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
