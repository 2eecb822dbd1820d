// The numbers of drand48 and its like come from one state of the process.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *calls(void *arg) {
  (void)lrand48();  // RACE!
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, calls, NULL);
  pthread_create(&t[1], NULL, calls, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
