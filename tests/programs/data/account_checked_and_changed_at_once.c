// The check and the withdrawal are one critical section: no two amounts overdraw the account.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int balance = 100;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *withdraw(void *unused) {
  const int amount = __VERIFIER_nondet_int();
  if (amount <= 0) return unused;
  pthread_mutex_lock(&guard);
  if (balance >= amount) balance -= amount;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, withdraw, 0);
  pthread_create(&second, 0, withdraw, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance >= 0 && balance <= 100);
  return 0;
}
