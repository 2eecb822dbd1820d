// The loop counts in memory: no two rounds are the same. What it waits for is plain.
#include <pthread.h>
#include <stdlib.h>
static int done, spins[4];

static void *setter(void *p) {
  done = 1;  // RACE!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  while (!done)  // RACE!
    spins[0]++;
  pthread_join(t, 0);
  return 0;
}
