// The sum is kept only where the builtin says that it fits.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int total = 1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
  const int n = __VERIFIER_nondet_int();
  if (n < 0) return unused;
  pthread_mutex_lock(&guard);
  int sum;
  if (!__builtin_add_overflow(total, n, &sum)) total = sum;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(total >= 1);
  return 0;
}
