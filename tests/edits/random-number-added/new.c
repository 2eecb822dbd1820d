// VERDICT: findings
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *draws(void *arg) {
  (void)drand48();  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, draws, NULL);
  (void)lrand48();  // RACE?
  pthread_join(t, NULL);
  return 0;
}
