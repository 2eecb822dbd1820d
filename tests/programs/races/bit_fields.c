// Neighbouring bit-fields share one memory location.
#include <pthread.h>

static struct { unsigned open : 1; unsigned dirty : 1; } flags;

static void *opener(void *arg) {
  flags.open = 1;  // RACE!
  return arg;
}

static void *marker(void *arg) {
  flags.dirty = 1;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, opener, NULL);
  pthread_create(&b, NULL, marker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
