// The same over an array, by an index of its own.
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
  for (unsigned i = 0; !done; i++)  // RACE!
    spins[i % 4] = (int)i;
  pthread_join(t, 0);
  return 0;
}
