// The input decides the exit code, whatever the order of the threads.
// VERDICT: clear
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
static atomic_int n;

static void *add(void *arg) {
  n++;
  return arg;
}

int main(void) {
  pthread_t t;
  const int wanted = __VERIFIER_nondet_int();
  pthread_create(&t, 0, add, 0);
  n++;
  pthread_join(t, 0);
  if (wanted > 3) return 5;
  return 0;
}
