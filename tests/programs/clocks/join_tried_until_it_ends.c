// A join that is tried until it succeeds orders.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <unistd.h>
int x;
static void *w(void *p) { x = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
  while (pthread_tryjoin_np(t, 0) != 0) usleep(10);
  return x - 1; }
