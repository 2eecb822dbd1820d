// The third thread stands at an assumption that does not hold; the race of the others comes before it.
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int count;

static void *assumes(void *unused) {
  __VERIFIER_assume(0);
  return unused;
}

static void *counts(void *unused) {
  count++;  // ERROR(data-race)!
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, assumes, 0);
  for (int n = 1; n < 3; n++) pthread_create(&threads[n], 0, counts, 0);
  for (int n = 1; n < 3; n++) pthread_join(threads[n], 0);
  pthread_join(threads[0], 0);
  return 0;
}
