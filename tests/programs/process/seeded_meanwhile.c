// Another thread seeds the generator between the seed and the draw.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *seeds(void *arg) {
  srand(7);
  return arg;
}

int main(void) {
  pthread_t t;
  srand(1);
  int first = rand();
  srand(1);
  pthread_create(&t, NULL, seeds, NULL);
  int drawn = rand();
  pthread_join(t, NULL);
  assert(drawn == first);  // ERROR(assertion)!
  return 0;
}
