// Two threads add an unknown number each; 1997 is a sum that needs both.
// SETTINGS: unknown-data: symbolic
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
  assert(total != 1997);  // ERROR(assertion)!
  return 0;
}
