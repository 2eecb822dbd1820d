// Check-then-initialise without any lock: a race, two objects may be made, and one of them leaks.
#include <pthread.h>
#include <stdlib.h>

static int *cache;

static void *worker(void *arg) {
  if (!cache)  // RACE!
    cache = calloc(1, sizeof *cache);  // RACE! ERROR(leak)!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(cache);
  return 0;
}
