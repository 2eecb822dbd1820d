// The loop waits for a variable that only its own thread uses; nobody else touches it, and yet all that follows is gone.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int started = 1, shared;

static void *first(void *arg) {
  while (atomic_load(&started) != 0) {}  // ERROR(livelock)!
  shared++;
  return arg;
}

static void *second(void *arg) {
  shared++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
