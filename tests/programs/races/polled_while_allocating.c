// The same with a heap block for each round.
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
  while (!done) {  // RACE!
    int *block = malloc(sizeof *block);
    if (!block) return 1;
    *block = 1;
    free(block);
  }
  pthread_join(t, 0);
  return 0;
}
