// The input decides the exit code, but not alone.
// SAYS: returns 0, with __VERIFIER_nondet_int() = 0
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
static atomic_int n;

static void *add(void *arg) {
  int seen = n;
  n = seen + 1;
  return arg;
}

int main(void) {
  pthread_t t;
  const int wanted = __VERIFIER_nondet_int();
  pthread_create(&t, 0, add, 0);
  int seen = n;
  n = seen + 1;
  pthread_join(t, 0);
  if (wanted > 3) return 5;
  return n == 2 ? 0 : 1;  // ERROR(exit-code-differs)!
}
