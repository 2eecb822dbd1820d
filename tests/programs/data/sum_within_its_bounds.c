// The same sum; both bounds hold for all values.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);

static long total;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused) {
  const long amount = __VERIFIER_nondet_long();
  __VERIFIER_assume(amount > 0 && amount < 1000);
  pthread_mutex_lock(&guard);
  total += amount;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, deposit, 0);
  pthread_create(&second, 0, deposit, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(total >= 2 && total <= 1998);
  return 0;
}
