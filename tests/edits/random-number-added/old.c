#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *draws(void *arg) {
  (void)drand48();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, draws, NULL);
  pthread_join(t, NULL);
  return 0;
}
