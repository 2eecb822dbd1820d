// VERDICT: clear
// STATS: executions=1
// One thread draws numbers, the other has a state of its own: nobody is in anybody's way.
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draws(void *arg) {
  unsigned state = 1;
  for (int n = 0; n < 3; n++) rand_r(&state);
  return arg;
}

int main(void) {
  pthread_t t;
  srand(1);
  int first = rand();
  srand(1);
  pthread_create(&t, NULL, draws, NULL);
  assert(rand() == first);
  pthread_join(t, NULL);
  return 0;
}
