#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int *total;

static void last(void) { free(total); }  // RACE!

static void *ends(void *arg) {
  exit(0);
  return arg;
}

int main(void) {
  pthread_t t;
  total = calloc(1, sizeof *total);
  atexit(last);
  pthread_create(&t, NULL, ends, NULL);
  int seen = *total;  // RACE? ERROR(use-after-free)?
  pthread_join(t, NULL);
  return seen;
}
