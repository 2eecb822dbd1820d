// Two amounts that add up to zero by an overflow look as if nothing was paid.
// SETTINGS: unknown-data: symbolic

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned total;
static int paid;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *pay(void *unused) {
  const unsigned amount = __VERIFIER_nondet_uint();
  if (amount == 0) return unused;
  pthread_mutex_lock(&guard);
  total += amount;
  paid = 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, pay, 0);
  pthread_create(&second, 0, pay, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(!paid || total != 0);  // ERROR(assertion)!
  return 0;
}
