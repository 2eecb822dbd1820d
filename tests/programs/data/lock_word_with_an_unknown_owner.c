// A lock whose word is the number of its owner, which is never 0.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static atomic_uint owner;
static int sum;

static void *add(void *unused) {
  const unsigned mine = __VERIFIER_nondet_uint();
  __VERIFIER_assume(mine != 0);
  unsigned nobody = 0;
  while (!atomic_compare_exchange_strong(&owner, &nobody, mine)) nobody = 0;
  sum++;
  atomic_store(&owner, 0);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  if (sum != 2) abort();
  return 0;
}
