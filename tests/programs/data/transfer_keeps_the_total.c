// Transfers of any amount leave the total as it was: unsigned numbers wrap, both at once.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long left = 100, right = 100;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *transfer(void *unused) {
  const unsigned long amount = __VERIFIER_nondet_ulong();
  pthread_mutex_lock(&guard);
  left -= amount;
  right += amount;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, transfer, 0);
  pthread_create(&second, 0, transfer, 0);
  pthread_mutex_lock(&guard);
  assert(left + right == 200);
  pthread_mutex_unlock(&guard);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(left + right == 200);
  return 0;
}
