// All threads draw from one sequence.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draws(void *arg) {
  random();
  return arg;
}

int main(void) {
  pthread_t t;
  srandom(5);
  long first = random();
  srandom(5);
  pthread_create(&t, NULL, draws, NULL);
  long drawn = random();
  pthread_join(t, NULL);
  assert(drawn == first);  // ERROR(assertion)!
  return 0;
}
