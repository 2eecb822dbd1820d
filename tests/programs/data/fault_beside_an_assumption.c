// An assumption that never holds ends its own thread only: what another thread does may come before it.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int limit, squares[4];

static void *assumes(void *unused) {
  __VERIFIER_assume(limit > 7);
  return unused;
}

static void *fills(void *unused) {
  for (int n = 0; n <= limit; n++) squares[n] = n * n;  // ERROR(out-of-bounds)!
  return unused;
}

int main(void) {
  limit = __VERIFIER_nondet_int();
  __VERIFIER_assume(limit >= 0 && limit < 5);
  pthread_t one, other;
  pthread_create(&one, 0, assumes, 0);
  pthread_create(&other, 0, fills, 0);
  pthread_join(other, 0);
  pthread_join(one, 0);
  return 0;
}
