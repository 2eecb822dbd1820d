// VERDICT: clear
// SAYS: threads that come back to an earlier state get on from there where more than 1,000 states would have to be
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, turn, steps;

static void *turns(void *arg) {
  while (!atomic_load(&stop)) atomic_fetch_xor(&turn, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, turns, NULL);
  for (int n = 0; n < 1100; ++n) atomic_store(&steps, n & (atomic_load(&turn) | ~1));
  atomic_store(&stop, 1);
  pthread_join(t, NULL);
  return 0;
}
