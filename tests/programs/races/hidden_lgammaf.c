// lgamma writes signgam.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <math.h>

static void *calls(void *arg) {
  volatile float y = lgammaf(2.5f);  // RACE!
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
